// Starts the form with what `nameplate editor` wrote: config.json for the form, keys.json for the files.

import CMS from "./sveltia-cms.mjs";
import { format } from "./format.js";

const read = async (name) => (await fetch(name, { cache: "no-cache" })).json();
const [config, keys] = await Promise.all([read("config.json"), read("keys.json")]);
for (const collection of config.collections) {
  for (const file of collection.files ?? [collection]) {
    CMS.registerCustomFormat(file.format, "toml", format(keys[file.format], file.fields));
  }
}
CMS.init({ config });
