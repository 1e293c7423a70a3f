// The stylesheet of the reference: the console's look for a page that is read. No text is smaller than 12 pixels.
import { codeCss } from './css-code.js';
import { colourCss } from './css-colours.js';
import { sideCss } from './css-side.js';
import { tableCss } from './css-tables.js';
import { tryCss } from './css-try.js';

const frame = `
@font-face {
  font-family: Inter; font-style: normal; font-weight: 100 900; font-display: swap; src: url("inter.woff2") format("woff2");
}
:root {
  --sans: Inter, "Segoe UI", -apple-system, BlinkMacSystemFont, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 400 0.9375rem/1.6 var(--sans); -webkit-font-smoothing: antialiased; }
a { color: var(--accent-text); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--ring); outline-offset: 2px; border-radius: 4px; }
[tabindex="-1"]:focus { outline: none; }
button, input, select, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
p code, td code, dd code { background: var(--surface-sunken); border: 1px solid var(--line); border-radius: 4px; padding: 0.05em 0.3em; }
/* Short names stay whole; what is longer than a line breaks, instead of lying under what is beside it. */
p code, td code, dd code { overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
p { margin: 0 0 1rem; max-width: 42rem; }
h1, h2, h3, h4 { line-height: 1.3; font-weight: 600; letter-spacing: -0.011em; text-wrap: balance; }
h1 { font-size: 1.75rem; margin: 0 0 0.75rem; letter-spacing: -0.02em; }
h2 { font-size: 1.25rem; margin: 0 0 0.9rem; }
h3 { font-size: 1.125rem; margin: 0 0 0.75rem; }
h4 { font-size: 0.875rem; margin: 1.75rem 0 0.4rem; letter-spacing: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
html:not(.js) .scripted, html.js .unscripted { display: none; }
.skip {
  position: absolute; top: -4rem; left: 0.75rem; z-index: 4; padding: 0.5rem 0.875rem; border-radius: 6px;
  background: #5b5bd6; color: #ffffff; font-weight: 500;
}
.skip:focus { top: 0.75rem; }

.frame { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr); }
main { padding: 2.75rem 3rem 6rem; max-width: 86rem; }
.opening { margin-bottom: 2.5rem; }
.lead { font-size: 1.0625rem; color: var(--text-quiet); max-width: 40rem; }
.facts { margin: 1.5rem 0 0; display: grid; gap: 0.45rem; }
.facts div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); }
.facts dt { color: var(--text-quiet); }
.facts dd { margin: 0; }
.part, .operation { padding: 2.25rem 0; border-top: 1px solid var(--line); }
.group > h2 { margin: 2.5rem 0 0.5rem; font-size: 1.5rem; letter-spacing: -0.02em; }
.group > .lead { margin-bottom: 1.5rem; font-size: 0.9375rem; }
.operation:target > .said > h3 { background: var(--accent-soft); box-shadow: 0 0 0 0.4rem var(--accent-soft); border-radius: 2px; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.shown { display: grid; gap: 0.875rem; align-content: start; min-width: 0; margin-top: 1.5rem; }
.shown > p { margin: 0; }

@media (min-width: 72rem) {
  .part:not(.wide), .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); column-gap: 2.5rem; }
  .shown { margin: 0; position: sticky; top: 1.5rem; align-self: start; }
  /* What is filled in and answered may be longer than the screen. */
  .shown:has(.panel) { position: static; }
}
@media (min-width: 90rem) {
  .part:not(.wide), .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 35rem); }
}
@media (max-width: 56rem) {
  html.js { scroll-padding-top: 4.5rem; }
  .frame { display: block; }
  main { padding: 1.75rem 1.25rem 4rem; }
  h1 { font-size: 1.5rem; }
  .facts div { grid-template-columns: minmax(0, 1fr); margin-bottom: 0.4rem; }
}
@media print {
  .side, .scripted { display: none !important; }
  .frame { display: block; }
  .operation { break-inside: avoid; }
}
`;

export const referenceCss = `${colourCss}${frame}${sideCss}${tableCss}${codeCss}${tryCss}`;
