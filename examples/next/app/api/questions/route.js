// Starts the agent, which asks at once. A real app starts it with the person's message.
import { randomBytes } from "node:crypto";
import { NextResponse } from "next/server";
import { ask } from "../../questions.js";
import { handled, SESSION } from "../../received.js";
import { request as asked } from "../../request.js";

export const POST = handled(async ({ request }) => {
  const session = request.cookies.get(SESSION)?.value ?? randomBytes(16).toString("hex");
  ask(session, asked);
  // A relative address: behind a proxy, the server does not know its own.
  const response = new NextResponse(null, { status: 303, headers: { Location: "/" } });
  response.cookies.set(SESSION, session, { httpOnly: true, sameSite: "strict", path: "/", secure: request.headers.get("origin")?.startsWith("https:") });
  return response;
});
