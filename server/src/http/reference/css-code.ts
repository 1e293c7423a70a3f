// Endpoints, method badges and blocks of code.

export const codeCss = `
.method {
  display: inline-block; min-width: 3.1rem; padding: 0.14rem 0.3rem; border-radius: 5px; text-align: center;
  font: 650 0.66rem/1.5 var(--mono); letter-spacing: 0.02em; color: var(--soft); background: var(--line);
}
.get { color: var(--get); background: var(--get-bg); }
.post { color: var(--post); background: var(--post-bg); }
.patch { color: var(--patch); background: var(--patch-bg); }
.put { color: var(--put); background: var(--put-bg); }
.delete { color: var(--delete); background: var(--delete-bg); }
.endpoints { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 0.35rem; }
.endpoints li { display: flex; gap: 0.65rem; align-items: baseline; }
.endpoints code { font-size: 0.92rem; overflow-wrap: anywhere; }
.endpoints .method { flex: none; }
.scope { color: var(--soft); font-size: 0.92rem; }
.scope strong { color: var(--text); font-weight: 650; }

.code { margin: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--raised); }
.code figcaption { padding: 0.45rem 1rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 0.8rem; }
.code pre { margin: 0; padding: 0.85rem 1rem; font-size: 0.8rem; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
.code code { font-size: inherit; }
@media (max-width: 40rem) { .code pre { padding: 0.75rem; font-size: 0.71rem; } }
.key { color: var(--key); }
.str { color: var(--str); }
.num { color: var(--num); }
.lit { color: var(--lit); }
`;
