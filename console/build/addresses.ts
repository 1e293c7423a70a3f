// A browser needs of a route what a request needs: method and path. The schemas and examples of the contract, and TypeBox with
// them, would make the first page larger for nothing. So here the contract is its routes' addresses, and those of its modules that
// need no package: the grammar and other tables.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
  const routes = Object.entries(contract).flatMap(([key, value]: [string, unknown]) =>
    isRoute(value) ? [`export const ${key} = ${JSON.stringify(addressOf(value))};`] : [],
  );
  const index = createRequire(import.meta.url).resolve(name);
  const tables = importsOf(index).filter(needsNoPackage);
  return [...routes, ...tables.map((file) => `export * from ${JSON.stringify(file)};`)].join('\n');
}

function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/\bfrom\s+['"]([^'"]+)['"]/g);
  return [...imports].map(([, path = '']) => (path.startsWith('.') ? join(dirname(file), path) : path));
}

function needsNoPackage(file: string): boolean {
  return file.endsWith('.js') && importsOf(file).every(needsNoPackage);
}

function isRoute(value: unknown): value is RouteAddress {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'area' in value;
}

function addressOf({ id, method, path, area, versions }: RouteAddress): RouteAddress {
  return { id, method, path, area, versions };
}
