// The format alone, in node: every single edit of every file has to give what was meant, or be refused.

import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { readFileSync } from "node:fs";

const at = (value, path) => path.reduce((part, key) => part[key], value);

/** Every single edit of a value: entries removed, added, moved; texts, dates and numbers changed; keys removed. */
function* edits(value, path = []) {
  for (const key of Object.keys(value)) {
    if (key === "x-source") continue;
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    const item = value[key];
    if (Array.isArray(item)) {
      for (let index = 0; index < item.length; index += 1) yield [here, (list) => { list.splice(index, 1); return list; }];
      yield [here, (list) => [...list, structuredClone(list.at(-1))]];
      yield [here, (list) => [structuredClone(list.at(-1)), ...list]];
      if (item.length > 1) yield [here, (list) => list.reverse()];
    }
    if (typeof item === "object") yield* edits(item, here);
    else if (typeof item === "number") yield [here, (number) => number + 1];
    else if (typeof item === "string") yield [here, (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? "2031-05-06" : `${text} "x" ü`)];
    if (!Array.isArray(value)) yield [here, () => undefined];
  }
}

const isEmpty = (value) => value === undefined || value === "" || (typeof value === "object" && Object.values(value).every(isEmpty));

/** A value without its empty parts, as text, for comparing what was meant and what was written. "all" next to others, or twice, is all. */
const compared = (value) =>
  JSON.stringify(value, (key, item) => {
    if (Array.isArray(item) && item.includes("all")) return "all";
    if (key === "x-source" || item === null || typeof item !== "object" || Array.isArray(item)) return key === "x-source" ? undefined : item;
    return Object.fromEntries(Object.entries(item).filter(([, part]) => !isEmpty(part)).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

export const guard = async (files, config, folder) => {
  const { format } = await import(pathToFileURL(join(folder, "format.js")));
  const keys = JSON.parse(readFileSync(join(folder, "keys.json"), "utf8"));
  const wrong = [];
  let [count, notes, unchanged] = [0, 0, 0];
  for (const [path, text] of Object.entries(files)) {
    const kinds = config.collections.flatMap((collection) => collection.files ?? [collection]);
    const kind = kinds.find((kind) => kind.file === path || (kind.folder && path.startsWith(`${kind.folder}/`)));
    if (!kind) continue;
    const { fromFile, toFile } = format(keys[kind.format], kind.fields);
    const values = fromFile(text.trim());
    if (toFile(structuredClone(values)).trim() !== text.trim()) wrong.push(`${path}: changes without an edit`);
    unchanged += 1;
    for (const [way, edit] of edits(values)) {
      const edited = structuredClone(values);
      const above = at(edited, way.slice(0, -1));
      above[way.at(-1)] = edit(above[way.at(-1)]);
      count += 1;
      let result;
      try {
        result = toFile(structuredClone(edited));
      } catch (error) {
        // A key that the form does not show is not lost.
        if (!/would (be lost|lose)/.test(error.cause?.message ?? "")) wrong.push(`${path} ${way.join(".")}: ${error.message}`);
        continue;
      }
      if (compared(fromFile(result)) !== compared(edited)) wrong.push(`${path} ${way.join(".")}: something else is written`);
      const remarks = (source) => source.split("\n").filter((line) => line.trimStart().startsWith("#")).length;
      if (remarks(result) < remarks(text)) notes += 1;
    }
  }
  if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join("\n"));
  return `${count} single edits of ${unchanged} files, none wrong; ${notes} lose a note that stood at what was removed`;
};
