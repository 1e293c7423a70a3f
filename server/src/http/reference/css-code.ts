// Endpoints, method badges, blocks of code and their buttons.

export const codeCss = `
.method {
  display: inline-block; min-width: 3.4rem; padding: 0.1rem 0.35rem; border-radius: 4px; text-align: center;
  font: 600 0.75rem/1.5 var(--mono); color: var(--text-quiet); background: var(--surface-sunken);
}
.method.get { color: var(--info); background: var(--info-soft); }
.method.post { color: var(--good); background: var(--good-soft); }
.method.patch { color: var(--warn); background: var(--warn-soft); }
.method.put { color: var(--code-token); background: var(--code-token-soft); }
.method.delete { color: var(--bad); background: var(--bad-soft); }
.endpoints { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.35rem; }
.endpoints li { display: flex; gap: 0.65rem; align-items: baseline; }
.endpoints code { overflow-wrap: anywhere; }
.endpoints .method { flex: none; }
.scope { color: var(--text-quiet); font-size: 0.875rem; }
.scope strong { color: var(--text); font-weight: 600; }

.code { margin: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--surface); min-width: 0; }
.code figcaption {
  display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; min-height: 2.5rem; padding: 0 0.4rem 0 1rem;
  border-bottom: 1px solid var(--line); background: var(--surface-sunken); color: var(--text-quiet); font-size: 0.8125rem;
}
.code pre { margin: 0; padding: 0.8rem 1rem; font-size: 0.8125rem; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
.code code { font-size: inherit; }
@media (max-width: 40rem) { .code pre { padding: 0.75rem; font-size: 0.75rem; } }
html:not([data-language="typescript"], [data-language="python"]) .sample:not(.curl),
html[data-language="typescript"] .sample:not(.typescript),
html[data-language="python"] .sample:not(.python) { display: none; }
.tabs { display: flex; gap: 0.15rem; margin-left: -0.6rem; align-self: stretch; }
.tabs button {
  padding: 0 0.6rem; border: 0; border-block: 2px solid transparent; background: none; color: var(--text-quiet); font-size: 0.8125rem;
}
.tabs button:hover { color: var(--text); }
.tabs button[aria-selected="true"] { color: var(--text); font-weight: 500; border-bottom-color: var(--ring); }
.tabs button:focus-visible { outline-offset: -3px; }
.copy {
  flex: none; height: 1.75rem; padding: 0 0.6rem; border: 1px solid transparent; border-radius: 5px; background: none;
  color: var(--text-quiet); font-size: 0.8125rem;
}
.copy:hover { background: var(--surface); border-color: var(--line-strong); color: var(--text); }
.key { color: var(--code-tag); }
.str { color: var(--code-string); }
.num { color: var(--code-attribute); }
.lit { color: var(--code-token); }
`;
