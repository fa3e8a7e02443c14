// The form: the server renders its place, and the browser asks in it.
"use client";
import { AskUser } from "ask-user/react";
import { useState } from "react";

export function Question({ request }) {
  const [result, setResult] = useState();
  return (
    <>
      <AskUser label="Deploy agent" request={request} onResult={(end) => setResult(end.result)} />
      {result && <output>{JSON.stringify(result)}</output>}
    </>
  );
}
