// Before the first paint: if the address has a search, the page doesn't show its whole list as if that were the answer.
if (location.search || document.documentElement.dataset.own === "state") document.documentElement.classList.add("asked");
