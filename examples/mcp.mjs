// A Model Context Protocol client that answers elicitation with ask-user, and a server whose tool elicits, both of the
// official SDK, over a transport in memory: `npm run mcp`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { open } from "ask-user/core";
import { answer } from "./person.mjs";

const server = new McpServer({ name: "accounts", version: "1.0.0" });
server.registerTool("register", { description: "Registers the user." }, async () => {
  const contact = await server.server.elicitInput({
    mode: "form",
    message: "Whom may we write to?",
    requestedSchema: {
      type: "object",
      properties: {
        email: { type: "string", title: "Your address", format: "email" },
        plan: { type: "string", oneOf: [{ const: "free", title: "Free" }, { const: "team", title: "For teams" }] },
        seats: { type: "integer", minimum: 1, maximum: 50 },
        topics: { type: "array", items: { type: "string", enum: ["releases", "security"] }, minItems: 1 },
        newsletter: { type: "boolean", default: false },
      },
      required: ["email", "plan"],
    },
  });
  if (contact.action !== "accept") return { content: [{ type: "text", text: JSON.stringify({ contact }) }] };
  const page = await server.server.elicitInput({
    mode: "url",
    message: "Confirm the address on our page.",
    url: "https://accounts.example/confirm",
    elicitationId: "confirm-1",
  });
  return { content: [{ type: "text", text: JSON.stringify({ contact, page }) }] };
});

const client = new Client({ name: "chat", version: "1.0.0" }, { capabilities: { elicitation: { form: {}, url: {} } } });
/** For each form: answers, or the words of a Reply. */
const answers = ["Which data do you keep?", { email: "ada@example.com", plan: "team", topics: ["security"], newsletter: true }, { url: true }];
/** The words of Replies. A result has no place for them: the model gets them as messages of the user, after the result of the tool. */
const replies = [];
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
  // The person must see which server asks: a page sets the same as the attribute `label`.
  const walk = open(params, { label: client.getServerVersion().name, replies: "message" });
  const result = answer(walk, answers.shift());
  if (walk.outcome.reply) replies.push(walk.outcome.reply);
  return result;
});

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
while (answers.length) {
  const { content } = await client.callTool({ name: "register", arguments: {} });
  for (const text of [content[0].text, ...replies.splice(0)]) console.log(text);
}
await client.close();
