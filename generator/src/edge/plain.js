// Finds the file that answers a list's question, for Cloudflare's worker and CloudFront's functions. CloudFront's JavaScript knows
// neither destructuring nor spreading, and no loops over values.

/** The file that answers a list's question; null when only live can tell. */
function fileOfList(list, search) {
  let state = "";
  const others = {};
  const isDecoded = search.split("&").every((pair) => {
    const end = pair.indexOf("=");
    const name = decoded(end < 0 ? pair : pair.slice(0, end));
    const value = decoded(end < 0 ? "" : pair.slice(end + 1));
    // The last one wins. An empty one counts as absent.
    if (name === list.state) state = value;
    else if (list.others.includes(name)) others[name] = value;
    return name !== null && value !== null;
  });
  if (!isDecoded || Object.keys(others).some((name) => others[name] !== "")) return null;
  if (state === "") return list.file;
  const key = state.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "").toLowerCase();
  return has(FACTS.states, key) ? `${list.folder}${FACTS.states[key]}.json` : null;
}

function has(table, key) {
  return Object.prototype.hasOwnProperty.call(table, key);
}

/** Percent-decoded visible ASCII; null for anything else, which live decides about. */
function decoded(text) {
  try {
    const plain = decodeURIComponent(text.replace(/\+/g, " "));
    return /^[\x09-\x0d\x20-\x7e]*$/.test(plain) ? plain : null;
  } catch (error) {
    return null;
  }
}
