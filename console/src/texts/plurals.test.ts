// A single thing is never in the plural: every text that takes a number is tested with one.
import { expect, it } from 'vitest';

const modules = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.ts'], { eager: true });

type Say = (...values: unknown[]) => unknown;

function* saidIn(value: unknown, path: string): Generator<[string, Say]> {
  if (typeof value === 'function') yield [path, value as Say];
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* saidIn(inner, `${path}.${name}`);
}

const all = Object.entries(modules).flatMap(([file, texts]) => [...saidIn(texts, file)]);
const nouns =
  'contacts|people|rows|columns|days|hours|minutes|seconds|events|steps|messages|emails|members|records|problems|conditions|times|properties|lists|journeys|requests|tokens|versions';
const oneOfMany = new RegExp(String.raw`(?<![\d.,:/-])\b1 (?:${nouns})\b`);

it('is asked of many texts', () => {
  expect(all.length).toBeGreaterThan(100);
});

it.each(all)('%s says one in the singular', (_, say) => {
  let said: unknown;
  try {
    said = say(...Array.from({ length: say.length }, () => 1));
  } catch {
    // It takes something else.
    return;
  }
  if (typeof said === 'string') expect(said).not.toMatch(oneOfMany);
});
