// React 19 sets the properties of a custom element and listens to its events: there is no wrapper.
import "ask-user";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { request } from "./request.js";

function Deployment() {
  const [result, setResult] = useState();
  return (
    <main>
      <h1>Deployment</h1>
      <ask-user label="Deploy agent" request={request} onask-user-result={({ detail }) => setResult(detail.result)} />
      {result && <output>{JSON.stringify(result)}</output>}
    </main>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <Deployment />
  </StrictMode>,
);
