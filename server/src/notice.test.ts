import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const at = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const words = (text: string) => text.replace(/\s+/g, ' ').trim();

it('has the licence of the font that the console and the reference page carry', async () => {
  const packages = Object.keys(JSON.parse(await at('console/package.json')).devDependencies ?? {}).concat(
    Object.keys(JSON.parse(await at('console/package.json')).dependencies ?? {}),
  );
  const fonts = packages.filter((name) => name.startsWith('@fontsource'));
  expect(fonts).not.toEqual([]);
  const notice = words(await at('NOTICE'));
  for (const font of fonts) expect(notice).toContain(words(await at(`node_modules/${font}/LICENSE`)));
});
