// The stylesheet of the reference. Every colour pair meets WCAG AA (4.5 to 1), in light and in dark.
import { codeCss } from './css-code.js';
import { tableCss } from './css-tables.js';

const frame = `:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f7f9; --line: #e3e6eb; --chip: #eef0f4; --text: #1d232e; --soft: #586273; --accent: #2a4fc4; --mark: #eef2fd;
  --get: #0a6844; --get-bg: #e2f4ec; --post: #2449b8; --post-bg: #e6ecfc; --patch: #80500a; --patch-bg: #fbf0d9;
  --put: #6536b5; --put-bg: #f0e9fb; --delete: #ad2620; --delete-bg: #fce9e7;
  --key: #1d3f8f; --str: #0a6844; --num: #8a4510; --lit: #6536b5;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --raised: #1c2027; --line: #2d333d; --chip: #262b34; --text: #e3e7ed; --soft: #a0aaba; --accent: #94b2ff; --mark: #1d2740;
    --get: #6fd3a6; --get-bg: #15342a; --post: #9db7ff; --post-bg: #1e2b4f; --patch: #e8bd6c; --patch-bg: #3a2d12;
    --put: #c7abff; --put-bg: #31254d; --delete: #ff9f97; --delete-bg: #451f1d;
    --key: #a9c1ff; --str: #85d4ad; --num: #ecb384; --lit: #c7abff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 400 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.86em; }
p code, td code, dd code { background: var(--chip); border-radius: 4px; padding: 0.1em 0.3em; }
/* Short names stay whole; what is longer than a line breaks, instead of lying under what is beside it. */
p code, td code, dd code { overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
p { margin: 0 0 1rem; max-width: 42rem; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.011em; text-wrap: balance; }
h1 { font-size: 2.1rem; margin: 0 0 0.75rem; letter-spacing: -0.022em; }
h2 { font-size: 1.5rem; margin: 0 0 0.9rem; }
h3 { font-size: 1.2rem; margin: 0 0 0.75rem; }
h4 { font-size: 0.9rem; margin: 1.75rem 0 0.4rem; letter-spacing: 0; }
.skip { position: absolute; left: -100vw; top: 0.5rem; padding: 0.5rem 1rem; background: var(--page); z-index: 2; }
.skip:focus { left: 0.5rem; }

.frame { display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); }
.side {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; scrollbar-width: thin; overscroll-behavior: contain;
  padding: 2rem 1.25rem 3rem 1.75rem; border-right: 1px solid var(--line); background: var(--raised);
}
.brand { margin: 0 0 1.5rem; font-size: 1.1rem; font-weight: 650; }
.brand a { color: inherit; text-decoration: none; }
.brand span { color: var(--soft); font-weight: 400; font-size: 0.86rem; margin-left: 0.25rem; }
.narrow-nav { display: none; }
nav p { margin: 1.4rem 0 0.35rem; font-size: 0.8rem; font-weight: 650; }
nav p a { color: inherit; text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a {
  display: block; margin: 0 -0.5rem; padding: 0.26rem 0.5rem; border-radius: 6px; color: var(--soft);
  font-size: 0.875rem; line-height: 1.45; text-decoration: none;
}
nav li a:hover { background: var(--line); color: var(--text); }
nav .ops a { display: grid; grid-template-columns: 3.1rem minmax(0, 1fr); column-gap: 0.6rem; align-items: start; }
nav .ops a span:last-child { font: 0.76rem/1.5 var(--mono); overflow-wrap: anywhere; padding-top: 0.05rem; }

main { padding: 3.25rem 3.5rem 6rem; max-width: 84rem; }
.opening { margin-bottom: 3rem; }
.lead { font-size: 1.15rem; color: var(--soft); max-width: 40rem; }
.facts { margin: 1.75rem 0 0; display: grid; gap: 0.45rem; }
.facts div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.part, .operation { padding: 2.5rem 0; border-top: 1px solid var(--line); }
.group > h2 { margin: 3rem 0 1.5rem; font-size: 1.8rem; letter-spacing: -0.02em; }
.operation:target > .said > h3 { background: var(--mark); box-shadow: 0 0 0 0.4rem var(--mark); border-radius: 2px; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.shown { display: grid; gap: 1rem; align-content: start; min-width: 0; margin-top: 1.5rem; }

@media (min-width: 72rem) {
  .part:not(.wide), .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); column-gap: 3rem; }
  .shown { margin: 0; position: sticky; top: 1.5rem; align-self: start; }
}
@media (min-width: 90rem) {
  .part:not(.wide), .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 34rem); }
}
@media (max-width: 56rem) {
  .frame { display: block; }
  .side { position: static; height: auto; padding: 1rem 1.25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  .brand { margin: 0; }
  .wide-nav { display: none; }
  .narrow-nav { display: block; margin-top: 0.6rem; }
  .narrow-nav summary { cursor: pointer; padding: 0.4rem 0; font-weight: 600; font-size: 0.95rem; }
  .narrow-nav li a { padding: 0.5rem; }
  main { padding: 2rem 1.25rem 4rem; }
  h1 { font-size: 1.75rem; }
  .facts div { grid-template-columns: minmax(0, 1fr); margin-bottom: 0.4rem; }
}
@media print {
  .side { display: none; }
  .frame { display: block; }
  .operation { break-inside: avoid; }
}
`;

export const referenceCss = `${frame}${tableCss}${codeCss}`;
