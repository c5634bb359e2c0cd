// Offers what the API answers to assistants in the browser, as tools of the page (WebMCP). Only a browser that has such
// tools fetches the rest.
if (document.modelContext?.registerTool) import("./tools.js").then(({ begin }) => begin(), () => {});
