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
  const page = await server.server.elicitInput({
    mode: "url",
    message: "Confirm the address on our page.",
    url: "https://accounts.example/confirm",
    elicitationId: "confirm-1",
  });
  return { content: [{ type: "text", text: JSON.stringify({ contact, page }) }] };
});

const client = new Client({ name: "chat", version: "1.0.0" }, { capabilities: { elicitation: { form: {}, url: {} } } });
const answers = { email: "ada@example.com", plan: "team", topics: ["security"], newsletter: true, url: true };
client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
  // The person must see which server asks: a page sets the same as the attribute `label`.
  const walk = open(params, { label: client.getServerVersion().name });
  return answer(walk, answers);
});

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
const { content } = await client.callTool({ name: "register", arguments: {} });
console.log(content[0].text);
await client.close();
