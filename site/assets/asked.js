// From the home page, the search stands behind "#".
if (location.hash.includes("=")) history.replaceState(null, "", `?${location.hash.slice(1)}`);
// Before the first paint: if the address has a search, the page doesn't show its whole list as if that were the answer.
if (location.search || document.documentElement.dataset.own === "state") document.documentElement.classList.add("asked");
