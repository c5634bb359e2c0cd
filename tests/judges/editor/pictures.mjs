// The pictures of docs/EDITOR.md, as WebP of a small window.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { entry, fill, open, pause, press, tick } from "./form.mjs";

export const pictures = async (browser, site, files) => {
  const folder = process.env.PICTURES;
  mkdirSync(folder, { recursive: true });
  const { page, close } = await open(browser, site, files);
  // Drawn as a whole first, since what is out of sight is not there.
  const size = async (height) => { await page.setViewport({ width: 960, height }); await pause(600); };
  await size(640);
  const shot = async (name) => {
    await pause(500);
    await page.screenshot({ path: join(folder, `${name}.webp`), type: "webp", quality: 55 });
  };
  const show = (key) => page.evaluate((key) => document.querySelector(`[data-key-path="${key}"]`)?.scrollIntoView({ block: "start" }), key).then(() => pause(400));
  await page.evaluate(() => { location.hash = "#/collections/providers"; });
  await pause(800);
  await shot("editor-clinicians");
  await size(4000);
  await entry(page, "availability", "annelise-bjork");
  await size(640);
  await show("exception");
  await shot("editor-hours");
  await entry(page, "providers", "new");
  await fill(page, "display-name", "Ann Lee");
  await shot("editor-new");
  await size(5000);
  await entry(page, "providers", "gabriel-cote");
  await tick(page, "status", "withdrawn");
  await size(640);
  await show("status");
  await shot("editor-leaves");
  await page.evaluate(() => document.querySelector('[data-key-path="x-confirm"]')?.scrollIntoView({ block: "end" }));
  await pause(500);
  await shot("editor-confirm");
  await close();
  return ["-", `5 pictures in ${folder}`];
};
