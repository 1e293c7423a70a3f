import { expect, it } from 'vitest';
import { readable } from './readable-log.js';

it('writes a log line in words, with its facts', () => {
  const line =
    '{"level":40,"time":"2026-11-15T09:30:00.123Z","route":"/v2/lists","ms":3,"note":"a b\\u001b[2J","msg":"slow"}\n';
  expect(readable(line)).toBe('09:30:00.123 WARN  slow route=/v2/lists ms=3 note="a b\\u001b[2J"');
  expect(readable('{"level":30,"time":"2026-11-15T09:30:00.123Z","err":{"message":"no"}}')).toBe(
    '09:30:00.123 info   err={"message":"no"}',
  );
  expect(readable('not json\n')).toBe('not json');
});
