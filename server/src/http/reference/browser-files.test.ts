import { readdirSync, readFileSync } from 'node:fs';
import { routes } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { colourCss } from './css-colours.js';
import { operationsOf } from './operations.js';
import { readScript, scripts } from './scripts.js';

const sources = new URL('./browser/', import.meta.url);

describe('the scripts of the page', () => {
  it('are all served, and all of them are imported', () => {
    const written = readdirSync(sources).filter((name) => name.endsWith('.ts') && name !== 'operation.ts');
    expect(written.map((name) => name.replace(/ts$/, 'js')).sort()).toEqual([...scripts].sort());
    const imported = scripts.flatMap((name) => [...readScript(name).matchAll(/from ['"]\.\/([^'"]+)['"]/g)]);
    expect(new Set(imported.map(([, name]) => name))).toEqual(
      new Set(scripts.filter((name) => name !== 'early.js' && name !== 'reference.js')),
    );
  });

  it('never turn text into markup or code, and send nothing anywhere by themselves', () => {
    for (const name of scripts)
      expect(readScript(name)).not.toMatch(
        /innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|https?:/,
      );
  });
});

describe('what the page knows for trying', () => {
  const operations = operationsOf(routes);

  it.each(routes)('has every parameter of $id', (route) => {
    const operation = operations[route.id];
    expect(operation?.method).toBe(route.method);
    expect(operation?.path.endsWith(route.path)).toBe(true);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(operation?.params.map(({ name }) => name)).toEqual(inPath);
    expect(operation?.query.map(({ name }) => name)).toEqual(Object.keys(route.query ?? {}));
    expect(operation?.body === null).toBe(route.body === undefined);
    expect(operation?.token).toBe(route.area === 'admin' ? 'administration' : 'access');
  });
});

describe('the colours', () => {
  const tokens = readFileSync(new URL('../../../../console/src/theme/tokens.css', import.meta.url), 'utf8');
  const colours = (css: string) =>
    new Map([...css.matchAll(/(--[\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));

  it.each(['light', 'dark'])('are those of the console in %s', (scheme) => {
    const [, ofConsole = ''] = tokens.split(`[data-mantine-color-scheme="${scheme}"]`);
    const own = colours(colourCss.split(`color-scheme: ${scheme}; `)[1]?.split('}')[0] ?? '');
    // The console takes the focus ring from its theme.
    own.delete('--ring');
    expect(own.size).toBeGreaterThan(20);
    const theirs = colours(ofConsole.split('}')[0] ?? '');
    for (const [name, value] of own) expect([name, theirs.get(name)]).toEqual([name, value]);
  });
});
