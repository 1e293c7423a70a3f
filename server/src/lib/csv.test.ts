import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { processorMsOf } from '../../test/processor-time.js';
import { csvLine, guardCell, unguarded } from './csv.js';

// Often characters that are special to a spreadsheet or a CSV reader.
const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '"', ',', '\n', "'", "'=", "''+", ''), fc.string())
    .map(([first, rest]) => first + rest),
  fc.array(fc.constantFrom('=', '＝', "'", '"', ';', ' ', '\t', '\n', 'x')).map((letters) => letters.join('')),
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

// How a reader that separates cells at semicolons sees the line: quotes inside a cell are ordinary characters.
const looseCells = (text: string) => text.split(/[;|\t\r\n]/).map((part) => part.replace(/^[\s"]+/, ''));

it.each([
  '=1+1',
  '\n=1',
  '\r\n=1',
  ' =1',
  '＝1+1',
  '＠SUM(A1)',
  'x;=1+1',
  'x;"=1+1"',
  'x|=1',
  'a\tb\t=1',
  'a\n-1',
  '"=1',
  '\t=1',
])('lets no spreadsheet run %j', (text) => {
  const line = csvLine(['before', text, 'after']).slice(0, -2);
  for (const cell of [...looseCells(line), ...parse(line).flat()]) expect(cell.trim()).not.toMatch(/^[=+\-@＝＋－＠]/);
  expect(unguarded(guardCell(text))).toBe(text);
});

it.each(['\n', ' ', "'", '"', ';', '=', "'=", ' ='])('takes half a mebibyte of %j without delay', (text) => {
  const long = text.repeat(524_288 / text.length);
  // Quadratic time would take minutes.
  expect(processorMsOf(() => unguarded(guardCell(long)))).toBeLessThan(10_000);
});

it('does not change texts that no spreadsheet runs', () => {
  for (const text of ['a=b', 'Price; 12', 'x;y', "O'Neil", 'a-b', 'ada@example.com', '1 = 1'])
    expect(guardCell(text)).toBe(text);
});

it('never begins a text as a formula does, and leaves numbers alone', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(csvLine([text]).replace(/^"/, '')).not.toMatch(/^[=+\-@\t]|^\r(?!\n$)/);
    }),
  );
  expect(csvLine([-1, 0.25, '-1', null])).toBe("-1,0.25,'-1,\r\n");
});
