// Before the first paint: a page whose address asks for something does not show its whole list as if that were the answer.
if (location.search || document.documentElement.dataset.own === "state") document.documentElement.classList.add("asked");
// The answer about a plan stands where the choice of one would.
if (/[?&]plan=[^&]/.test(location.search)) document.documentElement.classList.add("has-plan");
