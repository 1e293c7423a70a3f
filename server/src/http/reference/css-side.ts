// The sidebar: brand, search and the names of all operations. On a narrow screen it is a bar that opens.

export const sideCss = `
.side {
  position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column;
  padding: 1.25rem 0 0; border-right: 1px solid var(--line); background: var(--surface-sunken);
}
.bar { padding: 0 1.25rem; }
.brand {
  display: inline-flex; gap: 0.6rem; align-items: center; color: var(--text); text-decoration: none;
  font-weight: 600; letter-spacing: -0.01em;
}
.brand span { color: var(--text-quiet); font-weight: 400; font-size: 0.8125rem; letter-spacing: 0; }
.menu { display: none; }
.contents { display: flex; flex-direction: column; min-height: 0; flex: 1; }
.find { position: relative; padding: 1.1rem 0.75rem 0.35rem; }
.find input {
  width: 100%; height: 2.25rem; padding: 0 2.25rem 0 0.65rem; border: 1px solid var(--line-strong); border-radius: 6px;
  background: var(--surface); font-size: 0.875rem;
}
.find input::placeholder { color: var(--text-quiet); opacity: 1; }
.find input::-webkit-search-cancel-button { display: none; }
.find kbd {
  position: absolute; right: 1.3rem; top: 1.5rem; padding: 0 0.4rem; border: 1px solid var(--line-strong); border-radius: 4px;
  color: var(--text-quiet); font: 0.75rem/1.35rem var(--mono); pointer-events: none;
}
.find input:focus + kbd { visibility: hidden; }
.found { margin: 0; padding: 0.35rem 0.65rem 0; color: var(--text-quiet); font-size: 0.8125rem; }
.found:empty { display: none; }
.mentions { margin: 0.1rem 0 0 0.4rem; padding: 0.15rem 0.25rem; border: 0; background: none; color: var(--accent-text); font-size: 0.8125rem; }
.mentions:hover { text-decoration: underline; }
nav { flex: 1; overflow-y: auto; scrollbar-width: thin; overscroll-behavior: contain; padding: 0.25rem 0.75rem 1.5rem; }
nav ul { list-style: none; margin: 0 0 0.5rem; padding: 0; }
nav summary {
  display: flex; align-items: center; gap: 0.45rem; padding: 0.36rem 0.5rem; border-radius: 6px; cursor: pointer;
  font-size: 0.875rem; font-weight: 500; list-style: none;
}
nav summary::-webkit-details-marker { display: none; }
nav summary::before {
  content: ""; flex: none; width: 0.4rem; height: 0.4rem; margin: 0 0.1rem 0 0; border: solid var(--text-quiet);
  border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
}
nav details[open] > summary::before { transform: rotate(45deg); }
nav summary:hover, nav li a:hover { background: var(--surface-hover); }
nav li a {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem; align-items: baseline; padding: 0.3rem 0.5rem 0.3rem 1.35rem;
  border-radius: 6px; color: var(--text-quiet); font-size: 0.8125rem; line-height: 1.45; text-decoration: none;
}
nav li a:hover { color: var(--text); }
nav li a[aria-current] { background: var(--surface); color: var(--text); font-weight: 500; box-shadow: 0 0 0 1px var(--line); }
nav [hidden] { display: none; }
nav mark { background: var(--warn-soft); color: inherit; border-radius: 2px; }
.verb { font: 500 0.75rem/1.4 var(--mono); }
.verb.get { color: var(--info); }
.verb.post { color: var(--good); }
.verb.patch { color: var(--warn); }
.verb.put { color: var(--code-token); }
.verb.delete { color: var(--bad); }
.elsewhere { margin: 0; padding: 0.75rem 1.25rem; border-top: 1px solid var(--line); font-size: 0.8125rem; }
.elsewhere a { color: var(--text-quiet); text-decoration: none; }
.elsewhere a:hover { color: var(--text); text-decoration: underline; }

@media (max-width: 56rem) {
  .side { position: static; height: auto; padding: 0; border-right: 0; border-bottom: 1px solid var(--line); }
  html.js .side { position: sticky; z-index: 3; max-height: 100dvh; }
  .bar { display: flex; align-items: center; justify-content: space-between; padding: 0.5rem 0.75rem 0.5rem 1.25rem; min-height: 3.25rem; }
  html.js .menu {
    display: block; height: 2.25rem; padding: 0 0.75rem; border: 1px solid var(--line-strong); border-radius: 6px;
    background: var(--surface); font-size: 0.875rem; font-weight: 500;
  }
  html.js .side:not(.opened) .contents { display: none; }
  .side.opened { height: 100dvh; }
  .find { padding-top: 0.35rem; }
  .find kbd { display: none; }
  .find input { height: 2.75rem; font-size: 1rem; }
  nav summary, nav li a { padding-block: 0.6rem; }
}
`;
