// Two people on one entry: the form over a small GitHub of our own, which knows commits, branches and pull requests.

import { createHash } from "node:crypto";
import { entry, fill, host, pause, press } from "./form.mjs";

const sum = (text) => createHash("sha1").update(text).digest("hex");

/** What the CMS asks of GitHub, over files in memory. `commits` are those that it made. */
const gitHub = (files) => {
  const refs = { main: { head: sum("1"), files: { ...files } } };
  const [commits, pulls] = [[], []];
  const moved = (name, changes) => {
    const ref = refs[name];
    Object.assign(ref.files, changes);
    ref.head = sum(ref.head + JSON.stringify(changes));
  };
  const texts = () => new Map(Object.values(refs).flatMap((ref) => Object.values(ref.files)).map((text) => [sum(text), text]));
  const ref = (name) => (refs[name] ? { target: { oid: refs[name].head, history: { nodes: [{ oid: refs[name].head, message: "x", author: { name: "Bo", email: "bo@clinic.example", user: null }, committedDate: "2026-11-23T10:00:00Z" }] } } } : null);
  const aliases = (query, name) => [...query.matchAll(new RegExp(`${name}_(\\d+): (\\w+)\\((?:oid: "([0-9a-f]{40})")?`, "g"))];
  const graphql = ({ query, variables }) => {
    const { branch = "main", input } = variables;
    if (query.includes("createRef")) {
      const name = input.name.replace("refs/heads/", "");
      if (refs[name]) throw new Error(`A ref named "${input.name}" already exists in the repository.`);
      refs[name] = { head: input.oid, files: { ...refs.main.files } };
      return { createRef: { ref: { name } } };
    }
    if (query.includes("createCommitOnBranch")) {
      const name = input.branch.branchName;
      if (refs[name].head !== input.expectedHeadOid) throw new Error(`Expected branch to point to "${input.expectedHeadOid}" but it did not.`);
      moved(name, Object.fromEntries(input.fileChanges.additions.map(({ path, contents }) => [path, Buffer.from(contents, "base64").toString()])));
      commits.push(name);
      return { createCommitOnBranch: { commit: { oid: refs[name].head, committedDate: "2026-11-23T10:00:00Z", file_0: { oid: sum("x") } } } };
    }
    if (query.includes("fork: repository")) return { fork: { id: "R" }, base: { ref: ref("main") } };
    if (query.includes("headRefName: $branch")) return { repository: { pullRequests: { totalCount: pulls.includes(branch) ? 1 : 0 } } };
    if (query.includes("pullRequests(")) return { repository: { pullRequests: { nodes: [] } } };
    if (query.includes("content_")) {
      const known = texts();
      return { repository: Object.fromEntries(aliases(query, "content").map(([, at, , oid]) => [`content_${at}`, { text: known.get(oid), isTruncated: false }])) };
    }
    if (query.includes("commit_")) return { repository: Object.fromEntries(aliases(query, "commit").map(([, at]) => [`commit_${at}`, ref("main")])) };
    return { repository: { ref: ref(branch), defaultBranchRef: { name: "main" } } };
  };
  const answer = (path, method, body) => {
    if (path.endsWith("graphql")) {
      try {
        return [200, { data: graphql(body) }];
      } catch (error) {
        return [200, { data: null, errors: [{ message: error.message }] }];
      }
    }
    if (path === "/user") return [200, { login: "ann", name: "Ann", email: "ann@clinic.example", id: 1, html_url: "" }];
    if (path.includes("/collaborators/")) return [204, null];
    if (path.includes("/git/trees/")) return [200, { tree: Object.entries(refs.main.files).map(([path, text]) => ({ type: "blob", path, sha: sum(text), size: text.length })) }];
    if (path.endsWith("/pulls") && method === "POST") {
      pulls.push(body.head);
      return [201, { number: pulls.length, node_id: "P", html_url: "https://github.com/clinic/directory/pull/1", title: body.title, created_at: "2026-11-23T10:00:00Z", updated_at: "2026-11-23T10:00:00Z", head: { sha: refs[body.head].head }, user: { login: "ann" } }];
    }
    return [200, []];
  };
  return { answer, refs, commits, pulls, moved };
};

export const together = async (browser, form, files) => {
  const github = gitHub(files);
  const api = async (request, reply) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks)) : undefined;
    const [status, value] = github.answer(new URL(request.url, "http://form").pathname.replace(/^\/api(\/v3)?/, ""), request.method, body);
    reply.writeHead(status, { "content-type": "application/json" }).end(value === null ? "" : JSON.stringify(value));
  };
  let site;
  const config = (whole) => ({ ...whole, publish_mode: "editorial_workflow", backend: { name: "github", repo: "clinic/directory", branch: "main", api_root: `${site}/api`, graphql_api_root: `${site}/api/graphql` } });
  const hosted = await host(form, config, api);
  site = hosted.site;
  const context = await browser.createBrowserContext();
  try {
    let page;
    const open = async () => {
      await page?.close();
      page = await context.newPage();
      await page.setViewport({ width: 1100, height: 5000 });
      await page.goto(`${site}/robots.txt`);
      await page.evaluate(() => localStorage.setItem("sveltia-cms.user", JSON.stringify({ backendName: "github", token: "secret" })));
      await page.goto(`${site}/`);
      await page.waitForFunction(() => /Clinicians/.test(document.body.innerText) && /Amara Okonkwo/.test(document.body.innerText), { timeout: 60_000 });
    };
    const words = () => page.evaluate(() => [...document.querySelectorAll("[role=alertdialog], [role=dialog], dialog")].map((element) => element.innerText).join("\n"));
    const change = async (name, text) => {
      await entry(page, "providers", name);
      await fill(page, "credentials", text);
    };
    // What the form says within some seconds; nothing after a change that was saved.
    const saved = async () => {
      const before = github.commits.length;
      await press(page, /^Save/);
      for (let wait = 0; wait < 24 && github.commits.length === before && (await words()).trim() === ""; wait += 1) await pause(250);
      await pause(300);
      return words();
    };
    const path = (name) => `content/providers/${name}.toml`;
    const other = (name) => ({ [path(name)]: files[path(name)].replace(/gender = "\w+"/, 'gender = "other"') });

    // Somebody's change was merged while the entry was open.
    await open();
    await change("grace-kealoha", "MSN");
    github.moved("main", other("grace-kealoha"));
    const first = await saved();
    if (github.commits.length > 0) throw new Error(`a change that was merged meanwhile is taken back: ${first}`);
    if (!/Nothing was saved/.test(first)) throw new Error(`what is said about a change that was merged meanwhile: ${first}`);
    // No button of the message saves over it, and nothing of the old form comes back with the page.
    for (const button of await page.$$("[role=alertdialog] button, [role=dialog] button, dialog button")) await button.evaluate((one) => one.click());
    await pause(1500);
    if (github.commits.length > 0) throw new Error("a button of the message takes the other change back");
    await open();
    await entry(page, "providers", "grace-kealoha");
    await pause(500);
    if (/Restore/.test(await words())) throw new Error(`an old draft is offered: ${await words()}`);

    // Somebody has a proposal for the entry that this page does not know.
    await open();
    github.refs["cms/providers/gabriel-cote"] = { head: sum("b"), files: { ...github.refs.main.files } };
    github.pulls.push("cms/providers/gabriel-cote");
    await change("gabriel-cote", "MD");
    const second = await saved();
    if (github.commits.length > 0) throw new Error(`another one's proposal is written over: ${second}`);
    if (!/Somebody else is changing this entry/.test(second)) throw new Error(`nothing is said about another one's proposal: ${second} ${await page.evaluate(() => document.body.innerText.slice(-400))}`);

    // What nobody else touches is proposed.
    await open();
    await change("kavita-menon", "MSN");
    await saved();
    if (JSON.stringify(github.commits) !== '["cms/providers/kavita-menon"]') throw new Error(`a change is not proposed: ${await words()} ${github.commits}`);
    return "a change that was merged meanwhile and another one's proposal stay: nothing is written over them; a change of one's own is proposed";
  } finally {
    await context.close();
    hosted.server.close();
  }
};
