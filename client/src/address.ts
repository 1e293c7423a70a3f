import type { Version } from '@rapport/contract';
import type { QueryGiven, RouteAddress } from './input.js';

/** The path and query of a request, below the address of the service. */
export function addressOf(
  route: RouteAddress,
  version: Version,
  params: Readonly<Record<string, string | number>> = {},
  query: QueryGiven = {},
): string {
  return prefixOf(route, version) + fillIn(route.path, params) + queryString(query);
}

function prefixOf({ id, area, versions }: RouteAddress, version: Version): string {
  if (area === 'admin') return '';
  if (versions.includes(version)) return `/${version}`;
  throw new Error(`${id} is not part of ${version}. Make a client with version '${versions.join("' or '")}' for it.`);
}

function fillIn(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // Dots, encoded or not, and nothing at all would be the address of something else.
    if (/^\.{0,2}$/.test(value)) throw new Error(`params.${name} is "${value}": ${path} needs a name or an id there.`);
    return encodeURIComponent(value);
  });
}

function queryString(query: QueryGiven): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) pairs.append(name, String(each));
  const text = pairs.toString();
  return text && `?${text}`;
}
