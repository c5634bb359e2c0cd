// Runs the script of docs/deploy/comment.yml, which is script.js here, as actions/github-script does, and prints the body of
// the comment that it makes. The first argument is the conclusion of the check. Pull request 7 is the one that was built.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const context = {
  repo: { owner: "clinic", repo: "directory" },
  payload: { workflow_run: { head_sha: "built", conclusion: process.argv[2] ?? "success" } },
};
const github = {
  rest: {
    pulls: { get: async ({ pull_number }) => ({ data: { head: { sha: pull_number === 7 ? "built" : "another" } } }) },
    issues: { listComments: null, createComment: async ({ body }) => process.stdout.write(body) },
  },
  paginate: async () => [],
};
const Script = Object.getPrototypeOf(async () => {}).constructor;
await new Script("require", "github", "context", fs.readFileSync("script.js", "utf8"))(require, github, context);
