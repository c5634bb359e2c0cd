// The tools that webmcp.js offers to assistants in the browser.

const PATIENCE = 10_000;
const UNREACHED = "The directory can't be reached right now. Please try again in a few minutes.";

const failure = (text) => ({ content: [{ type: "text", text }], isError: true });

const given = (all) => Object.fromEntries(Object.entries(all ?? {}).filter(([, value]) => value != null));

/** Answers a call of a tool: its arguments, as a request of the API. */
const answer = async (path, { slug, view, ...parameters }, stop) => {
  const whole = path.replace("{slug}", encodeURIComponent(slug)) + (view === "summary" ? "/summary" : "");
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)].filter(Boolean));
  try {
    const response = await fetch(`${whole}?${new URLSearchParams(parameters)}`, { signal });
    const body = await response.json();
    return response.ok ? body : failure(body.message);
  } catch (error) {
    if (stop?.aborted) throw error;
    return failure(UNREACHED);
  }
};

const offer = async (signal) => {
  const response = await fetch("/v1/webmcp.json", { signal });
  if (!response.ok) return;
  for (const { path, defaults, ...tool } of await response.json()) {
    const execute = (asked, { signal: stop } = {}) => answer(path, { ...defaults, ...given(asked) }, stop);
    await document.modelContext.registerTool({ ...tool, execute }, { signal });
  }
};

const once = () => {
  const offered = new AbortController();
  addEventListener("pagehide", () => offered.abort(), { once: true });
  // The page is whole without tools: a browser may refuse them.
  offer(offered.signal).catch(() => {});
};

export const begin = () => {
  once();
  addEventListener("pageshow", ({ persisted }) => persisted && once());
};
