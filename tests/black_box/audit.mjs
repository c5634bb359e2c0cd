// Runs the script of docs/deploy/audit.yml, which is script.js here, as actions/github-script does, and prints what it asks of
// GitHub. Pull request 1 is new, 2 is older than 30 days.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const print = (line) => process.stdout.write(`${line}\n`);
const made = async (number) => ({ number });
const days = (count) => new Date(Date.now() - count * 86400000).toISOString();
const pulls = [
  { number: 1, head: { ref: "confirm/clinician-0" }, created_at: days(3) },
  { number: 2, head: { ref: "confirm/clinician-1" }, created_at: days(31) },
  { number: 3, head: { ref: "other" }, created_at: days(90) },
];
const list = () => {};
const github = {
  rest: {
    repos: {
      get: async () => ({ data: { default_branch: "main" } }),
      getContent: async () => { throw new Error("404"); },
      createOrUpdateFileContents: async ({ path }) => print(`file ${path}`),
    },
    git: {
      getRef: async () => ({ data: { object: { sha: "head" } } }),
      deleteRef: async () => { throw new Error("404"); },
      createTree: async () => ({ data: { sha: "tree" } }),
      createCommit: async () => ({ data: { sha: "commit" } }),
      createRef: async () => made(1),
    },
    pulls: {
      list,
      create: async ({ head }) => print(`pull ${head}`),
      update: async ({ pull_number }) => print(`closed ${pull_number}`),
    },
    issues: { listForRepo: null, create: async ({ title }) => print(`issue ${title}`) },
  },
  paginate: async (what) => (what === list ? pulls : []),
};
const context = { repo: { owner: "clinic", repo: "directory" } };
const Script = Object.getPrototypeOf(async () => {}).constructor;
await new Script("require", "github", "context", fs.readFileSync("script.js", "utf8"))(require, github, context);
