// The rooms of journeys have a direction: work → entries → turn → engine → timeline.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const here = new URL('./', import.meta.url).href;

/** `file → room`, for every import by a path; what is not of this feature is `elsewhere`. */
function importsOf(room: string): string[] {
  const files = readdirSync(new URL(`${room}/`, here), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const at = new URL(`${room}/${file}`, here);
      const specifiers = [...readFileSync(at, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, one = '']) => one);
      const roomOf = (href: string) => (href.startsWith(here) ? href.slice(here.length).split('/')[0] : 'elsewhere');
      return specifiers.map((one) => `${file} → ${roomOf(new URL(one, at).href)}`);
    });
}

it.each([
  ['entries', ['work']],
  ['turn', ['work', 'entries']],
  ['engine', ['work', 'entries', 'turn']],
  ['timeline', ['work', 'entries', 'turn', 'engine']],
])('%s imports nothing of %j', (room, above) => {
  const imported = importsOf(room);
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((line) => above.some((other) => line.endsWith(`→ ${other}`)))).toEqual([]);
});
