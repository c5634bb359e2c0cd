// The form in a browser: its host, its store, and what an editor does with it.

import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync, mkdirSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import puppeteer from "puppeteer-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".txt": "text/plain" };
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The content files of a folder, by their paths in a repository. */
export const contentOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .filter((path) => /\.(toml|svg)$/.test(path) && path !== "editor.toml")
      .map((path) => [`content/${path}`, readFileSync(join(folder, path), "utf8")]),
  );

/** Writes content files and the pictures beside them below a folder, and gives the content's folder. */
export const written = (files) => {
  const folder = mkdtempSync(join(process.env.WORK, "content-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const demo = join(process.env.WORK, "content");
  for (const picture of readdirSync(demo).filter((name) => name.endsWith(".png"))) copyFileSync(join(demo, picture), join(folder, "content", picture));
  return join(folder, "content");
};

/** A host of the form, which sends the headers of its `_headers`. `config` may change the configuration. */
export const host = async (folder, config = (whole) => whole) => {
  const rules = readFileSync(join(folder, "_headers"), "utf8").split("\n").slice(1);
  const headers = Object.fromEntries(rules.filter((line) => line.includes(": ")).map((line) => line.trim().split(/: (.*)/s).slice(0, 2)));
  const server = http.createServer((request, answer) => {
    const path = new URL(request.url, "http://form").pathname;
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!existsSync(file) || !TYPES[extname(file)]) return answer.writeHead(404, headers).end();
    const bytes = path === "/config.json" ? JSON.stringify(config(JSON.parse(readFileSync(file, "utf8")))) : readFileSync(file);
    return answer.writeHead(200, { ...headers, "content-type": TYPES[extname(file)] }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, site: `http://127.0.0.1:${server.address().port}` };
};

export const launch = () =>
  puppeteer.launch({
    executablePath: process.env.CHROMIUM,
    headless: true,
    userDataDir: mkdtempSync(join(tmpdir(), "judge-")),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en-US"],
  });

/** Opens the form over a store that holds these files. */
export const open = async (browser, site, files) => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  // What is out of sight is not drawn.
  await page.setViewport({ width: 1100, height: 5000 });
  const noted = { outside: [], refused: [], wrong: [] };
  page.on("request", (request) => {
    if (!request.url().startsWith(`${site}/`) && !/^(data|blob):/.test(request.url())) noted.outside.push(request.url());
  });
  page.on("pageerror", (error) => noted.wrong.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) noted.refused.push(message.text());
  });
  // The store can be filled on any page of the origin.
  await page.goto(`${site}/robots.txt`);
  await page.evaluate(async (all) => {
    const root = await (await navigator.storage.getDirectory()).getDirectoryHandle("sveltia-cms-test", { create: true });
    for (const [path, text] of Object.entries(all)) {
      const names = path.split("/");
      let folder = root;
      for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
      const writer = await (await folder.getFileHandle(names.at(-1), { create: true })).createWritable();
      await writer.write(text);
      await writer.close();
    }
  }, files);
  await page.goto(`${site}/`);
  // The button may be there before it listens.
  const isOpen = () => page.waitForFunction(() => /Clinicians/.test(document.body.innerText), { timeout: 5_000 }).then(() => true, () => false);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await press(page, /^Work with Test Repository$/).catch(() => {});
    if (await isOpen()) break;
  }
  return { page, noted, close: () => context.close() };
};

/** Presses the first button whose words match. */
export const press = async (page, words) => {
  const handle = await page.waitForFunction(
    (source, flags) => [...document.querySelectorAll("button")].find((button) => new RegExp(source, flags).test(button.innerText.trim()) && button.offsetParent !== null && button.ariaDisabled !== "true"),
    { timeout: 10_000 }, words.source, words.flags,
  );
  await handle.evaluate((button) => button.click());
};

/** Opens an entry, and unfolds its lists. */
export const entry = async (page, collection, name) => {
  await page.evaluate((hash) => { location.hash = hash; }, `#/collections/${collection}/${name === "new" ? "new" : `entries/${name}`}`);
  await page.waitForFunction(() => document.querySelector("[data-key-path]") !== null && [...document.querySelectorAll("button")].some((button) => button.innerText.trim() === "Save"), { timeout: 10_000 });
  await pause(250);
};

export const unfold = async (page, within) => {
  for (const button of await page.$$(`[data-key-path="${within}"] button[aria-expanded="false"]:not([aria-haspopup])`)) {
    await button.evaluate((element) => element.click());
  }
  await pause(300);
};

const input = (page, key) => page.waitForSelector(`[data-key-path="${key}"] :is(input, textarea)`, { timeout: 8_000 });

/** Replaces the text of a field; `nth` is the line of a list. */
export const fill = async (page, key, text, nth = 0) => {
  await input(page, key);
  const field = (await page.$$(`[data-key-path="${key}"] :is(input:not([type=hidden]), textarea)`))[nth];
  await field.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await field.focus();
  await field.evaluate((element) => element.select?.());
  if (text === "") await page.keyboard.press("Backspace");
  else await page.keyboard.type(text);
  await pause(60);
};

/** Writes behind the text of a field. */
export const append = async (page, key, text) => {
  const field = await input(page, key);
  await field.evaluate((element) => { element.scrollIntoView({ block: "center" }); element.focus(); element.setSelectionRange(element.value.length, element.value.length); });
  await page.keyboard.type(text);
  await pause(60);
};

export const value = async (page, key, nth = 0) => {
  await input(page, key);
  return (await page.$$(`[data-key-path="${key}"] :is(input:not([type=hidden]), textarea)`))[nth].evaluate((element) => element.value);
};

/** Ticks a box, or chooses one of several words. */
export const tick = async (page, key, choice) => {
  const button = await page.waitForSelector(`[data-key-path="${key}"] button:is([role=checkbox], [role=radio])[value=${JSON.stringify(choice)}]`, { timeout: 8_000 });
  await button.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await button.click();
  await pause(60);
};

/** Saves, and gives what the form says. */
export const save = async (page) => {
  await press(page, /^Save$/);
  const said = await page.waitForFunction(
    () => {
      const words = [...document.querySelectorAll("[role=alertdialog], [role=dialog], [role=alert], .toast")].map((element) => element.innerText).join("\n");
      return /saved|Nothing was saved|Error|invalid|Try again|correct/i.test(words) ? words : null;
    },
    { timeout: 10_000 },
  );
  await pause(300);
  return said.jsonValue();
};

/** A file of the store; null if it is not there. */
export const stored = (page, path) =>
  page.evaluate(async (path) => {
    try {
      let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("sveltia-cms-test");
      const names = path.split("/");
      for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name);
      return await (await (await folder.getFileHandle(names.at(-1))).getFile()).text();
    } catch {
      return null;
    }
  }, path);

/** The lines that two texts do not share, as `- old` and `+ new`. */
export const difference = (before, after) => {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return [...old.slice(start, old.length - end).map((line) => `- ${line}`), ...now.slice(start, now.length - end).map((line) => `+ ${line}`)];
};
