import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine, unguarded } from './csv.js';

// Often what a spreadsheet or a reader of CSV takes for something else.
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', ',', '\n', "'", "'=", "''+", ''), fc.string())
    .map(([first, rest]) => first + rest),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
);

it('writes cells that read back as they were, once the apostrophe that keeps a text from being run is off', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (lines) => {
      const read = parse(lines.map(csvLine).join(''), { recordDelimiter: '\r\n' });
      const wanted = lines.map((cells) => cells.map((value) => String(value ?? '')));
      const bare = (cells: string[], line: number) =>
        cells.map((cell, at) => (typeof lines[line]?.[at] === 'string' ? unguarded(cell) : cell));
      expect(read.map(bare)).toEqual(wanted);
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
