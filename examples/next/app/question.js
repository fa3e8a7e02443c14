// The form: it hears from the server what is asked, keeps there how far the person has come, and sends the answer.
"use client";
import { AskUser } from "ask-user/react";
import { useRouter } from "next/navigation";

export function Question({ id }) {
  const router = useRouter();
  const url = `/api/questions/${id}`;
  // The page shows what the server has, once it has it.
  const sent = ({ state }) => state === "sent" && router.refresh();
  return <AskUser eventsUrl={`${url}/events`} respondUrl={`${url}/respond`} cancelUrl={`${url}/respond`} saveUrl={`${url}/walk`} onDelivery={sent} />;
}
