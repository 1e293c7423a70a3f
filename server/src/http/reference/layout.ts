// The frame of the reference: head, sidebar, groups of operations.
import { apiVersion, describeTag, type Route } from '@rapport/contract';
import { escapeHtml, prose } from './html.js';
import { introSections, renderIntro } from './intro.js';
import { renderOperation } from './operation.js';
import { modules } from './scripts.js';

interface Group {
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
  // The service may be served below a path of its host.
  const root = escapeHtml(new URL(baseUrl).pathname.replace(/\/+$/, ''));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Rapport API reference</title>
${head(root)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="frame">
${sidebar(groups, root)}
<main id="content" tabindex="-1">
<div class="opening">
<h1>Rapport API reference</h1>
<p class="lead">Manage contacts, lists, emails and journeys over plain HTTP and JSON.</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${escapeHtml(baseUrl)}</code></dd></div>
<div><dt>Versions</dt><dd>Use <code>/v2</code> for new code. <code>/v1</code> is a stable subset.</dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="${root}/openapi/v2.json">v2.json</a>, <a href="${root}/openapi/v1.json">v1.json</a></dd></div>
</dl>
</div>
${renderIntro(routes, baseUrl)}
${groups.map((group) => renderGroup(group, baseUrl)).join('\n')}
</main>
</div>
</body>
</html>
`;
}

/** All modules are listed, so that the browser loads them in parallel instead of one after the other. */
function head(root: string): string {
  return `<link rel="icon" href="${root}/docs/icon.svg">
<link rel="preload" href="${root}/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${root}/docs/reference.css">
<script src="${root}/docs/early.js"></script>
${modules.map((name) => `<link rel="modulepreload" href="${root}/docs/${name}">`).join('\n')}
<script type="module" src="${root}/docs/reference.js"></script>`;
}

function sidebar(groups: Group[], root: string): string {
  return `<header class="side">
<div class="bar">
<a class="brand" href="#content"><img src="${root}/docs/icon.svg" alt="" width="22" height="22">Rapport <span>API ${apiVersion}</span></a>
<button type="button" class="menu scripted" aria-expanded="false" aria-controls="contents">Contents</button>
</div>
<div class="contents" id="contents">
<div class="find scripted" role="search">
<label class="unseen" for="find">Search the reference</label>
<input id="find" type="search" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false" aria-keyshortcuts="/" aria-controls="links">
<kbd aria-hidden="true">/</kbd>
<p class="found" role="status"></p>
<button type="button" class="mentions" hidden></button>
</div>
<nav id="links" aria-label="Contents">${contents(groups)}</nav>
<p class="elsewhere"><a href="${root}/console">Open the console</a></p>
</div>
</header>`;
}

function renderGroup({ tag, routes }: Group, baseUrl: string): string {
  const id = groupId(tag);
  const about = describeTag(tag);
  return `<section class="group" aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(tag)}</h2>
${about ? `<p class="lead">${prose(about)}</p>` : ''}
${routes.map((route) => renderOperation(route, baseUrl)).join('\n')}
</section>`;
}

function contents(groups: Group[]): string {
  const intro = introSections.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('');
  const lists = groups.map(
    ({ tag, routes }) =>
      `<details><summary>${escapeHtml(tag)}</summary><ul>${routes.map(entry).join('\n')}</ul></details>`,
  );
  return `<details open><summary>About</summary><ul>${intro}</ul></details>\n${lists.join('\n')}`;
}

function entry({ id, summary, method }: Route): string {
  return `<li><a href="#${escapeHtml(id)}"><span>${escapeHtml(summary)}</span> <span class="verb ${method.toLowerCase()}">${method}</span></a></li>`;
}

function groupId(tag: string): string {
  return `group-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
