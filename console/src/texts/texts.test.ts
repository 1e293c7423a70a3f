// All texts of the console are in this folder, so that another language is another folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const sources = fileURLToPath(new URL('..', import.meta.url));
const spoken = 'aria-label|placeholder|title|label|description|alt';

/** Text that a user would read, written into a component: text between tags, and in attributes. */
function wordsIn(source: string): string[] {
  // Types have angle brackets too.
  const code = source
    .replace(/^(?:export )?(?:const|type|interface|function) [^=({]*/gm, '')
    .replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '');
  const between = [
    ...code.matchAll(/(?:<\/?[A-Za-z][^<>{}=]*|["'}\w]\s*\/?)>\s*([^<>{}()=;:&|]*[A-Za-z]{3,}[^<>{}()=;:&|]*)\s*</g),
  ];
  const said = [...code.matchAll(new RegExp(`\\b(?:${spoken})="([^"]*[A-Za-z]{3,}[^"]*)"`, 'g'))];
  // Default texts of a component.
  const otherwise = [...code.matchAll(/[{,(]\s*\w+ = (?:'([^']*)'|"([^"]*)"|`([^`]*)`)/g)]
    .map(([, ...quoted]) => ['', quoted.find((words) => words !== undefined) ?? ''] as const)
    .filter(([, words]) => /^[A-Z][a-z]|[a-z]{2} [a-z]{2}/.test(words));
  return [...between, ...said, ...otherwise].map(([, words]) => (words ?? '').trim());
}

it('finds words between tags, in attributes and in defaults, and nothing in code', () => {
  expect(wordsIn('<p className="x">Hello there</p>')).toEqual(['Hello there']);
  expect(wordsIn('<Button aria-label="Close it" />')).toEqual(['Close it']);
  expect(wordsIn("const { cancel = 'Cancel', size = 'sm' } = props;")).toEqual(['Cancel']);
  expect(wordsIn('function Part({ more = "show more" }: Props) {}')).toEqual(['show more']);
  expect(wordsIn('<p>{t.hello}</p>')).toEqual([]);
  expect(wordsIn('const f = (a: Map<string, number>) => a.size; // <p>words</p>')).toEqual([]);
});

it('has every word that the pages say', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
  );
  const found = files.flatMap((file) =>
    wordsIn(readFileSync(join(sources, file), 'utf8')).map((words) => `${file}: ${words}`),
  );
  expect(found).toEqual([]);
});
