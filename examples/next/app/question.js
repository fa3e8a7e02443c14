// The form in the browser. React sets properties and listeners of a custom element where it makes the element, and not where it takes over
// one that the server has rendered: so the form is for the browser alone.
"use client";
import "ask-user";
import { useState, useSyncExternalStore } from "react";

export function Question({ request }) {
  const [result, setResult] = useState();
  const inBrowser = useSyncExternalStore(() => () => {}, () => true, () => false);
  if (!inBrowser) return null;
  return (
    <>
      <ask-user label="Deploy agent" request={request} onask-user-result={({ detail }) => setResult(detail.result)} />
      {result && <output>{JSON.stringify(result)}</output>}
    </>
  );
}
