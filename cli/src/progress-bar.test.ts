import { expect, it } from 'vitest';
import { megabytes, progressBar, rows } from './progress-bar.js';

/** What a terminal of this width shows at the end. */
function shown(columns: number | undefined, bar: (output: NodeJS.WriteStream) => void): string {
  let text = '';
  bar({ isTTY: true, columns, write: (part: string) => (text += part) } as unknown as NodeJS.WriteStream);
  return text.replaceAll('\r\x1b[2K', '').trimEnd();
}

it.each([80, 60, 120, undefined])('fits a terminal of %s columns, with all that it has to say', (columns) => {
  const line = shown(columns, (output) =>
    progressBar({ label: 'Applying ', unit: rows, output, elapsed: () => 81_000 }).finish(1_000_000, 1_000_000),
  );
  expect(line.length).toBeLessThan(columns ?? 80);
  expect(line).toContain('100 %');
  expect(line).toMatch(/1,000,000 rows of 1,000,000 rows/);
  if (columns !== 60) expect(line).toMatch(/, 12,346 rows\/s$/);
});

it('makes the bar as long as there is room, and leaves it out where there is none', () => {
  const line = (columns: number) =>
    shown(columns, (output) =>
      progressBar({ label: 'Uploading', unit: megabytes, output, elapsed: () => 100 }).finish(500e6, 1000e6),
    );
  expect(line(120)).toBe('Uploading  [##############..............]  50 %  500.0 MB of 1000.0 MB');
  expect(line(60)).toBe('Uploading  [#########........]  50 %  500.0 MB of 1000.0 MB');
  expect(line(44)).toBe('Uploading   50 %  500.0 MB of 1000.0 MB');
  expect(line(20)).toHaveLength(19);
});
