// The frame of the reference: head, sidebar, groups of operations.
import { apiVersion, type Route } from '@rapport/contract';
import { breakable, escapeHtml } from './html.js';
import { introSections, renderIntro } from './intro.js';
import { methodBadge, renderOperation } from './operation.js';

export interface Group {
  tag: string;
  routes: Route[];
}

/** Groups in the order of the contract, administration last. */
export function groupByTag(routes: readonly Route[]): Group[] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.tag, [...(groups.get(route.tag) ?? []), route]);
  const rank = (group: Group) => (group.routes.some((route) => route.area === 'admin') ? 1 : 0);
  return [...groups].map(([tag, members]) => ({ tag, routes: members })).sort((a, b) => rank(a) - rank(b));
}

export function renderPage(routes: readonly Route[], baseUrl: string): string {
  const groups = groupByTag(routes);
  const sample = routes.find((route) => route.area === 'api' && route.paged);
  if (!sample) throw new Error('The contract has no paged read to show.');
  // The service may live below a path of its host.
  const root = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Rapport API reference</title>
<link rel="stylesheet" href="${escapeHtml(root)}/docs/reference.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="frame">
<header class="side">
<p class="brand"><a href="#content">Rapport <span>API ${apiVersion}</span></a></p>
<nav class="wide-nav" aria-label="Contents">${contents(groups)}</nav>
<details class="narrow-nav"><summary>Contents</summary><nav aria-label="Contents">${contents(groups)}</nav></details>
</header>
<main id="content">
<div class="opening">
<h1>Rapport API reference</h1>
<p class="lead">Contacts, lists, emails and journeys of your customer-engagement platform, over plain HTTP and JSON.</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${escapeHtml(baseUrl)}</code></dd></div>
<div><dt>Versions</dt><dd><code>/v2</code> for new code. <code>/v1</code> is a part of it, unchanged.</dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="${escapeHtml(root)}/openapi/v2.json">v2.json</a>, <a href="${escapeHtml(root)}/openapi/v1.json">v1.json</a></dd></div>
</dl>
</div>
${renderIntro(baseUrl, sample)}
${groups.map((group) => renderGroup(group, baseUrl)).join('\n')}
</main>
</div>
</body>
</html>
`;
}

function renderGroup({ tag, routes }: Group, baseUrl: string): string {
  const id = groupId(tag);
  return `<section class="group" aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(tag)}</h2>
${routes.map((route) => renderOperation(route, baseUrl)).join('\n')}
</section>`;
}

function contents(groups: Group[]): string {
  const intro = introSections.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('');
  const lists = groups.map(
    ({ tag, routes }) =>
      `<p><a href="#${groupId(tag)}">${escapeHtml(tag)}</a></p><ul class="ops">${routes.map(entry).join('\n')}</ul>`,
  );
  return `<p>About</p><ul>${intro}</ul>${lists.join('\n')}`;
}

function entry(route: Route): string {
  // All of these paths start alike; without that start they fit.
  const path = route.path.replace(/^\/admin(?=\/)/, '');
  return `<li><a href="#${escapeHtml(route.id)}" title="${escapeHtml(route.summary)}">${methodBadge(route.method)}<span>${breakable(path)}</span></a></li>`;
}

function groupId(tag: string): string {
  return `group-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
