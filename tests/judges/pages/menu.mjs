// The head of a page at every width: no link of the menu lies on another.

import assert from "node:assert/strict";

/** The pairs of links in the head that overlap. */
const overlaps = (page) => page.evaluate(() => {
  const links = [...document.querySelectorAll(".top a")]
    .filter((link) => link.checkVisibility()).map((link) => [link.innerText.trim(), link.getBoundingClientRect()]);
  const isOn = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return links.flatMap(([name, box], at) => links.slice(at + 1).filter(([, other]) => isOn(box, other)).map(([other]) => `${name} on ${other}`));
});

export const menu = async (open) => {
  const [from, to, step] = [320, 1000, 20];
  for (const path of ["/", "/es"]) {
    const { page } = await open(path);
    for (let width = from; width <= to; width += step) {
      await page.setViewport({ width, height: 700 });
      assert.deepEqual(await overlaps(page), [], `${path} at ${width} px`);
    }
    // On a phone, the menu opens where it was pressed.
    await page.setViewport({ width: 390, height: 700 });
    const links = () => page.$$eval(".top nav a", (all) => all.filter((link) => link.checkVisibility() && link.getBoundingClientRect().bottom < 250).length);
    assert.equal(await links(), 0);
    await page.click(".to-menu > summary");
    assert.deepEqual([await links(), await overlaps(page)], [4, []], path);
    // The page stays where it is, the first link is next, and the same key closes the menu.
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.closest("#top-menu")?.id), "top-menu");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Enter");
    assert.equal(await links(), 0, path);
    // So does Escape, from any link of it.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.deepEqual([await links(), await page.evaluate(() => document.activeElement.localName)], [0, "summary"], path);
    await page.close();
  }
  return ["-", `no link on another from ${from} to ${to} px`];
};
