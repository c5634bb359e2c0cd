// The search of a clinic that is too large for an index.

import assert from "node:assert/strict";
import { PHONE, WOMEN_IN_CALIFORNIA, cellsOf, rows, soonest, textOf, times } from "./search.mjs";

/** A clinic that is too large for an index of everyone: the file has no rows, as its build writes it, and the API is asked. */
export const large = async (open, site) => {
  const { page } = await open("/");
  let isDown = false;
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    const { pathname } = new URL(request.url());
    if (isDown && pathname.startsWith("/v1/")) await request.respond({ status: 503, contentType: "application/json", body: "{}" });
    else if (pathname === "/assets/clinicians.json") {
      const index = await (await fetch(request.url())).json();
      const api = { summary: "/v1/providers/summary", profile: "/v1/providers/{slug}", site };
      await request.respond({ contentType: "application/json", body: JSON.stringify({ ...index, api, clinicians: [] }) });
    } else await request.continue();
  });
  const go = (path) => page.goto(site + path, { waitUntil: "networkidle0" });
  const get = async (path) => (await fetch(site + path)).json();
  const slugsOf = async () => (await rows(page)).map(({ slug }) => slug);

  // The soonest come first, each with its own table.
  await go("/clinicians?state=CA&plan=Goldenrod+PPO&gender=female");
  const shown = await rows(page);
  assert.deepEqual(shown.map(({ slug }) => slug), (await soonest(site, WOMEN_IN_CALIFORNIA)).slice(0, 10));
  for (const row of shown) assert.deepEqual(row.cells, await cellsOf(site, WOMEN_IN_CALIFORNIA, row), row.slug);

  // Words are looked for by the API, a page at a time.
  await go("/clinicians?q=menopause");
  const { total, providers } = await get("/v1/providers/summary?q=menopause&limit=100");
  assert.ok(total > 10, String(total));
  assert.equal(await textOf(page, "h1"), `${total} clinicians match`);
  while (await page.$("#list .actions button")) {
    const before = (await slugsOf()).length;
    await page.click("#list .actions button");
    await page.waitForFunction((before) => document.querySelectorAll("#list .who").length > before, {}, before);
  }
  assert.deepEqual(await slugsOf(), providers.map(({ slug }) => slug));

  // Words and a state: in the order of the API, those with openings.
  await go("/clinicians?q=menopause&state=CA");
  const { providers: inState } = await get("/v1/providers/summary?q=menopause&state=CA&limit=100");
  const isOpen = new Set(await soonest(site, { state: "CA", newPatients: "true" }));
  assert.deepEqual(await slugsOf(), inState.map(({ slug }) => slug).filter((slug) => isOpen.has(slug)));

  // Dead ends lead on.
  await go("/clinicians?q=zzzz&state=CA");
  assert.match(await textOf(page, ".ways a"), /^Without “zzzz”/);
  await page.click(".ways a");
  await page.waitForSelector("#list > .people .time");

  // Without the live service the page says so, with the phone number, and shows everyone.
  isDown = true;
  await go("/clinicians?state=CA&gender=female");
  assert.equal(await textOf(page, "h1"), "We can’t load openings right now");
  assert.match(await textOf(page, "#about"), PHONE);
  assert.equal((await slugsOf()).length, 24);
  isDown = false;
  await page.click("#list .actions button");
  await times(page);
  await page.close();
  return ["-", `${shown.length} by time, ${total} by words, a dead end, and the live service down and back`];
};
