// Runs the script of docs/deploy/audit.yml, which is script.js here, as actions/github-script does, and prints what it asks of
// GitHub. Pull request 1 is new, 2 is older than 30 days, 3 has another name, 4 is of a fork, 5 was closed without an answer.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const print = (line) => process.stdout.write(`${line}\n`);
const made = async (number) => ({ number });
const days = (count) => new Date(Date.now() - count * 86400000).toISOString();
const ours = { full_name: "clinic/directory" };
const pulls = [
  { number: 1, head: { ref: "confirm/clinician-0", repo: ours }, created_at: days(3) },
  { number: 2, head: { ref: "confirm/clinician-1", repo: ours }, created_at: days(31) },
  { number: 3, head: { ref: "other", repo: ours }, created_at: days(90) },
  { number: 4, head: { ref: "confirm/clinician-2", repo: { full_name: "stranger/directory" } }, created_at: days(90) },
];
const closed = [{ number: 5, head: { ref: "confirm/clinician-3", repo: ours }, created_at: days(60) }];
const list = async () => ({ data: closed });
let checked = false;
const github = {
  rest: {
    repos: {
      get: async () => ({ data: { default_branch: "main" } }),
      getContent: async () => { throw new Error("404"); },
      createOrUpdateFileContents: async ({ path }) => print(`file ${path}`),
      createCommitStatus: async ({ sha, context: name, state }) => {
        if (sha !== "commit" || name !== "nameplate/check" || state !== "success") throw new Error("another status");
        checked = true;
      },
    },
    git: {
      deleteRef: async () => { throw new Error("404"); },
      createTree: async () => ({ data: { sha: "tree" } }),
      createCommit: async ({ parents }) => {
        if (parents[0] !== "checked-out") throw new Error("the files are not of this commit");
        return { data: { sha: "commit" } };
      },
      createRef: async () => made(1),
    },
    pulls: {
      list,
      create: async ({ head }) => {
        if (!checked) throw new Error("a ruleset would wait for the check for ever");
        checked = false;
        print(`pull ${head}`);
      },
      update: async ({ pull_number }) => print(`closed ${pull_number}`),
    },
    issues: { listForRepo: null, create: async ({ title, body }) => print(`issue ${title}\n${body}`) },
  },
  paginate: async (what) => (what === list ? pulls : []),
};
const context = { sha: "checked-out", repo: { owner: "clinic", repo: "directory" } };
const Script = Object.getPrototypeOf(async () => {}).constructor;
await new Script("require", "github", "context", fs.readFileSync("script.js", "utf8"))(require, github, context);
