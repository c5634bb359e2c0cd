// Reloads the page when what `nameplate dev` serves has changed. No published page has this file.

const { state } = document.currentScript.dataset;
const EVERY = 1000;

const look = async () => {
  // A hidden page waits until it is visible.
  if (document.hidden) return;
  try {
    const response = await fetch("/.nameplate/state", { cache: "no-store" });
    if (response.ok && (await response.json()).state !== state) location.reload();
  } catch {
    // `dev` has stopped. The next look notices when it is back.
  }
};

const again = async () => {
  await look();
  setTimeout(again, EVERY);
};

document.addEventListener("visibilitychange", look);
again();
