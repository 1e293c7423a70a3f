import { pathsOf, type Route } from '@rapport/contract';

export type Area = 'api' | 'admin' | 'open';

/** Which rules hold for a path that no route matched. */
export function areaOf(path: string): Area {
  if (/^\/v[12](\/|$)/.test(path)) return 'api';
  return /^\/admin(\/|$)/.test(path) ? 'admin' : 'open';
}

/**
 * Makes every request line routable: drops the host that a proxy may send along and a trailing slash, and keeps broken
 * percent-encoding as literal text, so that an id nobody could have is answered like any other unknown id.
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

/** Finds which methods a URL's path knows: asked only when no route matched, to tell 405 from 404. */
export function allowedMethods(routes: readonly Route[]): (url: string) => string[] {
  const patterns = routes.flatMap((route) =>
    pathsOf(route).map((path) => ({
      method: route.method,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );
  return (url) => {
    // An encoded slash is a part of an id, for the router too.
    const path = pathOf(url.replace(/%2f/gi, '%252F'));
    const methods = new Set<string>();
    for (const { method, pattern } of patterns) {
      if (!pattern.test(path)) continue;
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
    return [...methods].sort();
  };
}
