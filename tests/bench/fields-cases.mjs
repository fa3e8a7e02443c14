// Real schemas of draft 7, which all validators here read, each with a value in which several parts are wrong.
import { schemas } from "../js/schemas.mjs";

const WRONG = {
  cargo: { package: { name: 5, version: "1.0.0", edition: "1999", authors: "me" }, dependencies: { serde: 1, tokio: { version: 2 } }, profile: { release: { "opt-level": 9 } } },
  "github-workflow": { on: "pushed", jobs: { build: { "runs-on": 5, steps: [{ uses: 1 }, "run"], "timeout-minutes": [] } }, extra: 1 },
  "github-action": { name: 5, description: "", runs: { using: "node1", main: 2 }, inputs: { token: { required: "yes" } }, branding: { color: "pink", icon: "none" } },
  chart: { apiVersion: 2, name: 5, version: "1", keywords: "a", maintainers: [{ name: 1 }], dependencies: [{ name: 2 }], extra: true },
  "pre-commit-config": { repos: [{ repo: 5, hooks: [{ id: 1 }, { id: "a", stages: ["never"] }] }], fail_fast: "yes", default_stages: 4 },
  mocharc: { spec: 5, timeout: {}, bail: "yes", color: 1, extension: [1], reporter: [], retries: "many" },
  cloudbuild: { steps: [{ name: 5, args: "a", env: {} }, {}], timeout: 5, options: { machineType: "tiny", diskSizeGb: [] }, tags: {} },
  "kubernetes-deployment": { apiVersion: "v0", kind: "Pod", metadata: { name: 5, labels: { a: 1 } }, spec: { replicas: "two", template: { spec: { containers: [{ name: 1, ports: [{ containerPort: "x" }] }] } } } },
  lerna: { version: 1, packages: "a", npmClient: "pip", command: { publish: { ignoreChanges: 5 } }, useWorkspaces: "yes" },
  dockerd: { debug: "yes", "log-level": "all", mtu: "x", dns: "1.1.1.1", hosts: [1], "max-concurrent-downloads": [] },
};

/** `[{ name, schema, value }]` */
export async function cases() {
  const all = await schemas();
  return Object.entries(WRONG).map(([name, value]) => ({ name, schema: all.find((one) => one.name === name).schema, value }));
}
