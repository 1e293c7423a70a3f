import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from './csv.js';

// Often what a spreadsheet or a reader of CSV takes for something else.
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', ',', '\n', "'", ''), fc.string())
    .map(([first, rest]) => first + rest),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
);

it('writes cells that read back as they were, but for the apostrophe that keeps a text from being run', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (lines) => {
      const read = parse(lines.map(csvLine).join(''), { recordDelimiter: '\r\n' });
      const wanted = lines.map((cells) =>
        cells.map((value) =>
          typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? ''),
        ),
      );
      expect(read).toEqual(wanted);
    }),
  );
});

it('never begins a text as a formula does, and leaves numbers alone', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(csvLine([text]).replace(/^"/, '')).not.toMatch(/^[=+\-@\t]|^\r(?!\n$)/);
    }),
  );
  expect(csvLine([-1, 0.25, '-1', null])).toBe("-1,0.25,'-1,\r\n");
});
