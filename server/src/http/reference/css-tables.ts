// Tables of parameters, fields and errors; in a narrow column every row becomes a small card.

export const tableCss = `
.said { container-type: inline-size; min-width: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; line-height: 1.5; }
th, td { text-align: left; vertical-align: top; padding: 0.6rem 1rem 0.6rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 400; }
tbody th { white-space: nowrap; }
thead th { color: var(--text-quiet); font-size: 0.75rem; padding-block: 0.35rem; }
tr > :last-child { padding-right: 0; width: 65%; }
tr > :nth-child(2):last-child { width: 100%; }
tbody tr:last-child > * { border-bottom: 0; }
tbody th code { font-weight: 600; }
.wide table { max-width: 60rem; margin-bottom: 1.5rem; }
.type, .rules { color: var(--text-quiet); }
.type { white-space: nowrap; }
.mark { display: block; color: var(--warn); font-size: 0.75rem; }
.status { font: 0.75rem var(--mono); color: var(--text-quiet); font-variant-numeric: tabular-nums; }
var { font-style: italic; color: var(--text-quiet); }
code:target { background: var(--accent-soft); box-shadow: 0 0 0 0.3rem var(--accent-soft); border-radius: 2px; }

.codes { list-style: none; margin: 0.6rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
.codes a {
  display: inline-flex; gap: 0.5em; align-items: baseline; padding: 0.15rem 0.6rem; border: 1px solid var(--line);
  border-radius: 6px; text-decoration: none; color: var(--text); font-size: 0.8125rem; overflow-wrap: anywhere;
}
.codes code { font-size: 0.75rem; }
.codes a:hover { border-color: var(--accent-text); }
.fields { margin-top: 1.75rem; }
.fields summary { cursor: pointer; font-size: 0.875rem; font-weight: 600; color: var(--accent-text); width: fit-content; }
.fields[open] summary { margin-bottom: 0.5rem; }
.fields p { margin: 1.2rem 0 0.3rem; font-size: 0.875rem; }
.fields .shape { font-weight: 600; }

@container (max-width: 36rem) {
  table, tbody, tr, th, td { display: block; width: auto; }
  thead { position: absolute; clip-path: inset(50%); }
  tr { padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  th, td, tr > :last-child { border: 0; padding: 0.05rem 0; width: auto; }
  tbody th { white-space: normal; overflow-wrap: anywhere; display: inline; margin-right: 0.6rem; }
  td:nth-child(2) { display: inline; margin-right: 0.6rem; }
  td.none { display: none; }
  .mark { display: inline; margin-left: 0.3rem; }
  .type { white-space: normal; }
  tr > :nth-child(2):last-child { width: auto; }
}
`;
