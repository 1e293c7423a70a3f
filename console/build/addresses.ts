// A browser needs of a route what a request needs: method and path. The schemas and examples of the contract, and
// TypeBox with them, would make the first page larger for nothing, so here the contract is its routes' addresses and
// nothing else.
import type { RouteAddress } from '@rapport/client';
import * as contract from '@rapport/contract';
import type { Plugin } from 'vite';

const name = '@rapport/contract';
const id = '\0addresses-of-the-contract';

export function addresses(): Plugin {
  return {
    name: 'addresses',
    enforce: 'pre',
    resolveId: (source) => (source === name ? id : undefined),
    load: (source) => (source === id ? moduleText() : undefined),
  };
}

/** What else the contract exports is missing on purpose: a build that wants it fails and says so. */
function moduleText(): string {
  const lines = Object.entries(contract).flatMap(([key, value]: [string, unknown]) =>
    isRoute(value) ? [`export const ${key} = ${JSON.stringify(addressOf(value))};`] : [],
  );
  return lines.join('\n');
}

function isRoute(value: unknown): value is RouteAddress {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'area' in value;
}

function addressOf({ id, method, path, area, versions }: RouteAddress): RouteAddress {
  return { id, method, path, area, versions };
}
