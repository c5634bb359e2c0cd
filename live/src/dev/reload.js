// Reloads the page when `nameplate dev` shows something else than this page does. No published page has this file.

const { state } = document.currentScript.dataset;
const EVERY = 1000;

const look = async () => {
  // A page that nobody sees waits until it is seen.
  if (document.hidden) return;
  try {
    const response = await fetch("/.nameplate/state", { cache: "no-store" });
    if (response.ok && (await response.json()).state !== state) location.reload();
  } catch {
    // `dev` has stopped. When it is there again, the next look finds out.
  }
};

const again = async () => {
  await look();
  setTimeout(again, EVERY);
};

document.addEventListener("visibilitychange", look);
again();
