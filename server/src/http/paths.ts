import { pathsOf, type Route } from '@rapport/contract';

export type Area = 'api' | 'admin' | 'ingest' | 'mcp' | 'open';

/** A path that accepts a method. */
export interface Served {
  method: Route['method'];
  path: string;
}

/** Which rules apply to a path that no route matched. */
export function areaOf(path: string): Area {
  if (/^\/v[12](\/|$)/.test(path)) return 'api';
  if (/^\/ingest(\/|$)/.test(path)) return 'ingest';
  if (path === '/mcp') return 'mcp';
  return /^\/admin(\/|$)/.test(path) ? 'admin' : 'open';
}

/**
 * Makes every request line routable: drops the host that a proxy may include and a trailing slash, and keeps broken
 * percent-encoding as literal text, so that an impossible id is answered like any other unknown id.
 */
export function routableUrl(requested: string): string {
  const url = requested.startsWith('/') ? requested : requested.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = url.search(/[?#]/);
  const query = at < 0 ? '' : url.slice(at);
  let path = at < 0 ? url : url.slice(0, at);
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  if (path.includes('%') && !isDecodable(path)) {
    path = path.replace(/(?:%[0-9a-f]{2})+|%/gi, (part) =>
      part !== '%' && isDecodable(part) ? part : part.replaceAll('%', '%25'),
    );
  }
  return path + query;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The path of a routable URL, decoded. */
export function pathOf(url: string): string {
  const at = url.search(/[?#]/);
  return decodeURIComponent(at < 0 ? url : url.slice(0, at));
}

/**
 * Finds the methods that a URL's path supports: called only when no route matched, to distinguish 405 from 404. `others` are served
 * beside the contract.
 */
export function allowedMethods(routes: readonly Route[], others: readonly Served[]): (url: string) => string[] {
  const known = [...servedBy(routes), ...others];
  const patterns = known.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  const literals = literalPaths(routes);
  return (url) => {
    // An encoded slash is part of an id, for the router too.
    const path = pathOf(url.replace(/%2f/gi, '%252F'));
    const found = literals.has(path)
      ? known.filter((route) => route.path === path)
      : patterns.filter(({ pattern }) => pattern.test(path));
    return withHead(found.map(({ method }) => method));
  };
}

/**
 * A path such as /contacts/batch also matches /contacts/{id}. Returns the methods that only the second one has: on the first they are
 * not allowed, instead of looking up a contact named "batch".
 */
export function shadowedMethods(routes: readonly Route[]): Served[] {
  const known = servedBy(routes);
  const own = new Set(known.map(({ method, path }) => `${method} ${path}`));
  const shadowed = new Map<string, Served>();
  const patterns = known
    .filter(({ path }) => path.includes('{'))
    .map(({ method, path }) => ({ method, pattern: patternOf(path), length: lengthOf(path) }));
  for (const { path } of known.filter((route) => !route.path.includes('{'))) {
    const length = lengthOf(path);
    for (const { method, pattern, length: its } of patterns) {
      // Two numbers are compared faster than a path with a pattern, of which there are tens of thousands of pairs.
      if (its !== length || !pattern.test(path)) continue;
      const key = `${method} ${path}`;
      if (!own.has(key)) shadowed.set(key, { method, path });
    }
  }
  return [...shadowed.values()];
}

function servedBy(routes: readonly Route[]): Served[] {
  return routes.flatMap((route) => pathsOf(route).map((path) => ({ method: route.method, path })));
}

/** How many segments it has. */
function lengthOf(path: string): number {
  return path.split('/').length;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

// In both versions: a path that only /v2 serves is not an id in /v1.
function literalPaths(routes: readonly Route[]): Set<string> {
  const literal = routes.filter((route) => !route.path.includes('{'));
  return new Set(
    literal.flatMap((route) => (route.area === 'admin' ? route.path : [`/v1${route.path}`, `/v2${route.path}`])),
  );
}

function withHead(methods: readonly string[]): string[] {
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
}
