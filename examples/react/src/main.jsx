// The component for React 18 and 19. React 19 can have the element itself too: see the README of the package.
import { AskUser } from "ask-user/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { request } from "./request.js";

function Deployment() {
  const [result, setResult] = useState(/** @type {any} */ (undefined));
  return (
    <main>
      <h1>Deployment</h1>
      <AskUser label="Deploy agent" request={request} onResult={(end) => setResult(end.result)} />
      {result && <output>{JSON.stringify(result)}</output>}
    </main>
  );
}

createRoot(document.getElementById("root")).render(
  <StrictMode>
    <Deployment />
  </StrictMode>,
);
