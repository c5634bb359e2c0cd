// The look. The variables of the host (`--color-…`, `--font-sans`, `--border-radius-md`) win over the values here, which are
// those of the site. Text and background of a pair are at least 4.5 to 1 apart.

const pageSheet = new CSSStyleSheet();
pageSheet.replaceSync("html, body { margin: 0; background: transparent; }");

const viewSheet = new CSSStyleSheet();
viewSheet.replaceSync(`
  :host {
    --paper: var(--color-background-primary, light-dark(#fbf8f3, #17141d));
    --card: var(--color-background-secondary, light-dark(#ffffff, #211d29));
    --ink: var(--color-text-primary, light-dark(#2a2433, #efeaf3));
    --quiet: var(--color-text-secondary, light-dark(#635a6d, #b6acc0));
    --line: var(--color-border-secondary, light-dark(#e3dae5, #372f43));
    --edge: var(--color-border-primary, light-dark(#8d8199, #8a7d99));
    --brand: var(--color-text-info, light-dark(#4f3f92, #c4b4f7));
    --ring: var(--color-ring-primary, var(--brand));
    --good: var(--color-text-success, light-dark(#256546, #93d3ae));
    --care: var(--color-text-warning, light-dark(#84521b, #e6b87d));
    --round: var(--border-radius-md, .75rem);
    --nameplate-text: var(--ink); --nameplate-accent: var(--brand); --nameplate-surface: var(--card);
    --nameplate-border: var(--line); --nameplate-radius: var(--round); --nameplate-gap: .75rem;
    padding: 1rem; background: var(--paper); font: 1rem/1.5 var(--font-sans, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  }
  h1 { font-size: 1.25rem; line-height: 1.25; text-wrap: balance; }
  h2 { font-size: 1.05rem; line-height: 1.35; }
  h1:focus { outline: none; }
  h1 + *, h1 + * + * { margin-top: .4rem; }
  :focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; }
  .quiet, .credentials, .note, .text { color: var(--quiet); font-size: .92rem; }
  .note:empty, .folded { display: none; }
  button.more { margin-top: .6rem; }
  .unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .plain { white-space: pre-wrap; }
  .list, .days, .rows, .map, .pills, .facts { margin-top: .9rem; }
  .list .card, .profile .card { padding: .9rem; }
  .open { color: var(--good); }
  .closed { color: var(--care); }
  .open::before, .closed::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-inline-end: .5em; border: 2px solid; border-radius: 50%; }
  .open::before { background: currentcolor; }
  .portrait { inline-size: 3.5rem; block-size: 3.5rem; background: light-dark(#dcd3f0, #453a6b); }
  .initials { display: grid; flex: none; place-items: center; border-radius: 50%; color: light-dark(#382f52, #f3eefb); font-size: 1.15rem; }
  .actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .6rem; }
  button { min-block-size: 2.75rem; min-inline-size: 2.75rem; padding: .3rem .8rem; border: 1px solid var(--edge); border-radius: var(--round); background: var(--paper); color: var(--ink); font: 600 .92rem/1.3 var(--font-sans, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif); cursor: pointer; overflow-wrap: anywhere; }
  button:hover { border-color: var(--brand); }
  button[aria-busy=true] { cursor: progress; opacity: .75; }
  button.strong { border-color: var(--brand); background: var(--brand); color: var(--paper); }
  button.back { margin-block-end: .75rem; border-color: transparent; padding-inline: 0; background: none; color: var(--brand); }
  button.back::before { content: "←"; margin-inline-end: .4em; }
  .field { display: grid; gap: .25rem; margin-top: .9rem; font-size: .92rem; font-weight: 600; }
  select { max-inline-size: 100%; min-block-size: 2.75rem; padding: .3rem .5rem; border: 1px solid var(--edge); border-radius: var(--round); background: var(--paper); color: var(--ink); font: inherit; font-weight: 400; }
  .part, .part h2, .bio { margin-top: .9rem; }
  .status { font-size: .95rem; line-height: 1.35; }
  .pills { display: flex; flex-wrap: wrap; gap: .4rem; }
  .part > .pills { margin-top: .4rem; }
  .pill { display: inline-block; padding: .15rem .7rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); font-size: .92rem; font-weight: 400; }
  button.pill { border-color: var(--edge); border-radius: 1.5rem; }
  .days { display: grid; gap: .9rem; }
  .slots { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .35rem; }
  .slots button { display: grid; text-align: start; }
  .slots span { color: var(--quiet); font-size: .85rem; font-weight: 400; }
  .slots + button { margin-top: .4rem; }
  .rows { gap: 0; }
  .rows li { padding-block: .8rem; border-top: 1px solid var(--line); }
  .map { grid-template-columns: repeat(11, minmax(0, 1fr)); gap: 2px; max-inline-size: 32rem; }
  .map li { aspect-ratio: 1; }
  .map li > * { display: grid; place-items: center; inline-size: 100%; block-size: 100%; min-block-size: 0; padding: 0; border-radius: 20%; font-size: clamp(.65rem, 3cqi, .85rem); line-height: 1; }
  .map span { border: 1px solid var(--line); color: var(--quiet); }
  .map .here { border-color: var(--brand); background: var(--brand); color: var(--paper); font-weight: 600; }
  @container (width < 31.5rem) {
    .map { grid-template-columns: repeat(auto-fill, 2.75rem); gap: .4rem; }
    .map li { grid-area: auto !important; block-size: 2.75rem; }
    .map li[aria-hidden] { display: none; }
  }
  .facts { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; }
  .facts dt { color: var(--quiet); font-size: .92rem; }
  .facts dd { margin: 0; }
  @media (prefers-reduced-motion: no-preference) { button { transition: border-color .15s; } }
`);
