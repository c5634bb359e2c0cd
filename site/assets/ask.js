// Copies the address that an assistant needs. Without this script, it can be selected.

const button = document.getElementById("ask-copy");
const text = button.textContent;
button.hidden = false;
button.addEventListener("click", async () => {
  const address = document.getElementById("ask-address").textContent;
  button.textContent = await navigator.clipboard.writeText(address).then(() => button.dataset.copied, () => button.dataset.failed);
  setTimeout(() => { button.textContent = text; }, 4000);
});
