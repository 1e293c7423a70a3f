// Trying an operation: the form, the question before a write, the response.

export const tryCss = `
.try, .button {
  display: inline-flex; align-items: center; min-height: 2.25rem; padding: 0 0.9rem; border: 1px solid var(--line-strong);
  border-radius: 6px; background: var(--surface); font-size: 0.875rem; font-weight: 500;
}
.try:hover, .button:hover { background: var(--surface-hover); }
.button.main { border-color: transparent; background: #5b5bd6; color: #ffffff; }
.button.main:hover { background: #5151cd; }
.button.danger { border-color: transparent; background: #c0262d; color: #ffffff; }
.button.danger:hover { background: #a81f26; }
.button:disabled { opacity: 0.55; cursor: default; }
.panel { display: grid; gap: 1rem; min-width: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.panel h4 { margin: 0; }
.panel fieldset { display: grid; gap: 0.85rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.panel legend { padding: 0; margin-bottom: 0.5rem; font-size: 0.8125rem; font-weight: 600; }
.panel .caller { margin: 0; font-size: 0.875rem; overflow-wrap: anywhere; }
.panel fieldset > .button { justify-self: start; }
.field { display: grid; gap: 0.25rem; min-width: 0; }
.field label { font-size: 0.8125rem; font-weight: 500; }
.field label code { font-size: 0.8125rem; font-weight: 600; }
.hint code { font-size: 0.75rem; }
.field .hint { margin: 0; color: var(--text-quiet); font-size: 0.75rem; line-height: 1.45; overflow-wrap: anywhere; }
.field .mark { display: inline; font-weight: 400; font-size: 0.75rem; }
.field input:not([type="file"]), .field select, .field textarea {
  width: 100%; min-height: 2.25rem; padding: 0.3rem 0.6rem; border: 1px solid var(--line-strong); border-radius: 6px;
  background: var(--page); font-size: 0.875rem;
}
.field textarea { font: 0.8125rem/1.55 var(--mono); resize: vertical; }
.field ::placeholder { color: var(--text-quiet); opacity: 1; }
.field [aria-invalid="true"] { border-color: var(--bad); }
.fault { margin: 0; color: var(--bad); font-size: 0.8125rem; overflow-wrap: anywhere; }
.fault:empty { display: none; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.answer { display: grid; gap: 0.6rem; min-width: 0; }
.answer:empty { display: none; }
.outcome { display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: center; margin: 0; font-size: 0.8125rem; color: var(--text-quiet); font-variant-numeric: tabular-nums; }
.badge { padding: 0.1rem 0.45rem; border-radius: 4px; font: 600 0.8125rem/1.5 var(--mono); }
.badge.good { color: var(--good); background: var(--good-soft); }
.badge.warn { color: var(--warn); background: var(--warn-soft); }
.badge.bad { color: var(--bad); background: var(--bad-soft); }
.answer summary { cursor: pointer; font-size: 0.8125rem; font-weight: 500; width: fit-content; }
.headers { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.15rem 0.75rem; margin: 0.5rem 0 0; font: 0.75rem/1.5 var(--mono); }
.headers dt { color: var(--text-quiet); }
.headers dd { margin: 0; overflow-wrap: anywhere; }
.answer pre { max-height: 26rem; overflow: auto; }
dialog {
  max-width: min(30rem, calc(100vw - 2rem)); padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 12px;
  background: var(--surface); color: var(--text);
}
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { font-size: 1rem; margin: 0 0 0.75rem; }
dialog .actions { justify-content: flex-end; }
dialog code { overflow-wrap: anywhere; }
`;
