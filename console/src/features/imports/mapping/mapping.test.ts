import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader, delimiterOf } from '../file/csv-reader.ts';
import { encodingOf, readHead } from '../file/read-file.ts';
import { bodyOf } from './body.ts';
import { guessMapping, guessType, keyOf, mappingFaults, withChoices } from './mapping.ts';
import { forNobody, type Known, type MappedColumn } from './mapping-target.ts';
import { outgoingOf } from './outgoing.ts';

const nothing: Known = { types: new Map(), topics: new Map(), lists: new Map() };
const planOf = (columns: readonly MappedColumn[], known = nothing) => outgoingOf(columns, forNobody, known, []).plan;
const read = (text: string, delimiter = ',') => {
  const reader = new CsvReader(delimiter);
  return [...reader.push(text), ...reader.end()];
};

describe('a CSV file', () => {
  it('has quotes, line ends and delimiters within quotes, blank lines, and rows without a last line end', () => {
    expect(read('a,b\r\n"x, ""y""","1\n2"\n\n,z')).toEqual([['a', 'b'], ['x, "y"', '1\n2'], [], ['', 'z']]);
    expect(read('a,5" pipe\n')).toEqual([['a', '5" pipe']]);
  });

  it('reads the same rows wherever its text is cut into pieces', () => {
    const cells = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'é', ' ') }), { minLength: 1, maxLength: 4 }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(cells, fc.array(fc.nat(9)), (rows, cuts) => {
        const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        const reader = new CsvReader(',');
        const found: string[][] = [];
        let rest = text;
        for (const cut of cuts) {
          found.push(...reader.push(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        found.push(...reader.push(rest), ...reader.end());
        expect(found).toEqual(rows);
      }),
    );
  });

  it('shows by its first line what separates its cells', () => {
    expect(delimiterOf('email;"a,b,c,d";name\nx,y,z,w,v')).toBe(';');
    expect(delimiterOf('email\tname')).toBe('\t');
    expect(delimiterOf('email')).toBe(',');
  });

  it('is read in the encoding it was saved in', async () => {
    expect(encodingOf(new Uint8Array([0xff, 0xfe, 0x61, 0]), true)).toBe('utf-16le');
    expect(encodingOf(new Uint8Array([0x4d, 0xfc, 0x6c]), true)).toBe('windows-1252');
    // Half a character at the end of the head is not an error.
    expect(encodingOf(new Uint8Array([0x61, 0xc3]), false)).toBe('utf-8');
    const head = await readHead(new Blob(['\uFEFFemail,name\na@b.de,Ä\n']));
    expect(head).toMatchObject({ header: ['email', 'name'], rows: [['a@b.de', 'Ä']], rowCount: 1, isExact: true });
  });
});

describe('the columns of a file', () => {
  it.each([
    ['First Name', 'first_name'],
    ['firstName', 'first_name'],
    ['Größe (cm)', 'grosse_cm'],
    ['2nd plan', '_2nd_plan'],
    ['  ', ''],
  ])('%s is the property %s', (name, key) => expect(keyOf(name)).toBe(key));

  it('are guessed by name, by what is in them, and by what the tenant has', () => {
    const rows = [
      ['ada@example.com', 'Ada', '12', '0123', 'true', '2026-01-01'],
      ['alan@example.com', 'Alan', '3', '0456', 'false', '2026-02-01'],
    ];
    const header = ['Address', 'Vorname', 'Seats', 'Zip', 'Active', 'Renewal Date'];
    expect(guessMapping(header, rows, nothing).map(({ target }) => target)).toEqual([
      { kind: 'email' },
      { kind: 'property', key: 'first_name', type: 'text' },
      { kind: 'property', key: 'seats', type: 'number' },
      { kind: 'property', key: 'zip', type: 'text' },
      { kind: 'property', key: 'active', type: 'boolean' },
      { kind: 'property', key: 'renewal_date', type: 'date', format: 'ymd', isSure: true },
    ]);
    const known = { ...nothing, types: new Map([['seats', 'text']]) };
    expect(guessMapping(header, rows, known)[2]?.target).toEqual({ kind: 'property', key: 'seats', type: 'text' });
  });

  it('have dates in one order: what could be read both ways is read like what could not', () => {
    const orders = (...rows: string[][]) =>
      guessMapping(['email', 'A', 'B'], rows, nothing).map(({ target }) =>
        target.kind === 'property' ? [target.format, target.isSure] : target.kind,
      );
    expect(orders(['a@b.de', '17/04/2026', '03/04/2026'])).toEqual(['email', ['dmy', true], ['dmy', true]]);
    expect(orders(['a@b.de', '04/17/2026', '03/04/2026'])).toEqual(['email', ['mdy', true], ['mdy', true]]);
    expect(orders(['a@b.de', '04/17/2026', '17/04/2026'])).toEqual(['email', ['mdy', true], ['dmy', true]]);
    expect(orders(['a@b.de', '2026-04-03', '03/04/2026'])[2]?.[1]).toBe(false);
  });

  it('are skipped where they have no name of their own', () => {
    const columns = guessMapping(
      ['email', 'Plan', 'plan', '', '_error'],
      [['a@b.de', 'x', 'y', 'z', 'wrong']],
      nothing,
    );
    expect(columns.map(({ target }) => target.kind)).toEqual(['email', 'property', 'skip', 'skip', 'skip']);
  });

  it('need one address and different keys', () => {
    const column = (target: Parameters<typeof mappingFaults>[0][number]['target']) => ({
      name: 'x',
      samples: [],
      target,
    });
    const plan = column({ kind: 'property', key: 'plan', type: 'text' });
    expect(mappingFaults([plan])).toEqual({ all: 'noEmail', of: [undefined] });
    expect(mappingFaults([column({ kind: 'email' }), plan, plan]).of).toEqual([undefined, 'sameKey', 'sameKey']);
    expect(mappingFaults([column({ kind: 'property', key: 'A b', type: 'text' })]).of).toEqual(['badKey']);
  });

  it('become topics where they are named so, once each, and have nothing but yes and no', () => {
    const known = { ...nothing, topics: new Map([['news', 'News']]) };
    const rows = [['a@b.de', 'yes', 'no', 'x']];
    const columns = guessMapping(['email', 'topic:news', 'Topic: News', 'topic:other'], rows, known);
    expect(columns.map(({ target }) => target)).toEqual([
      { kind: 'email' },
      { kind: 'topic', key: 'news' },
      { kind: 'property', key: 'topic_news', type: 'text' },
      { kind: 'property', key: 'topic_other', type: 'text' },
    ]);
    expect(planOf(columns)).toBe('email,topic:news,topic_news,topic_other');
    const topic = (samples: string[], key = 'news') => ({
      name: 'x',
      samples,
      target: { kind: 'topic' as const, key },
    });
    const [email] = columns as [(typeof columns)[0]];
    expect(mappingFaults([email, topic(['Yes', 'NO'])]).of).toEqual([undefined, undefined]);
    expect(mappingFaults([email, topic(['maybe'])]).of).toEqual([undefined, 'badWord']);
    expect(mappingFaults([email, topic([]), topic([])]).of).toEqual([undefined, 'sameTopic', 'sameTopic']);
    expect(mappingFaults([email, topic([], '')]).of).toEqual([undefined, 'noTopic']);
  });

  it('are numbers only where no digit would be lost', () => {
    expect(guessType('x', ['1', '-2.5', '0'], nothing).type).toBe('number');
    expect(guessType('x', ['007'], nothing).type).toBe('text');
    expect(guessType('x', ['12345678901234567'], nothing).type).toBe('text');
    expect(guessType('x', ['1', 'x'], nothing).type).toBe('text');
  });
});

describe('what is sent', () => {
  const bodyFor = async (file: Blob) => {
    const head = await readHead(file);
    const outgoing = outgoingOf(guessMapping(head.header, head.rows, nothing), forNobody, nothing, []);
    const body = await bodyOf(file, head, outgoing, () => undefined, new AbortController().signal);
    return { isTheFile: body === file, text: await body.text(), head };
  };

  it('is the file itself where the service can read it, whatever becomes of its columns', async () => {
    const file = new Blob(['E-Mail,Plan,Seats\nada@example.com,pro,12\n']);
    const { isTheFile, head } = await bodyFor(file);
    expect(isTheFile).toBe(true);
    const columns = guessMapping(head.header, head.rows, nothing);
    expect(planOf(columns)).toBe('email,plan,seats:number');
    expect(planOf(columns.with(1, { ...columns[1], target: { kind: 'skip' } } as (typeof columns)[0]))).toBe(
      'email,,seats:number',
    );
  });

  it.each([
    ['semicolons', 'E-Mail;Note\r\n\r\na@b.de;"x ""y""\nz"\r\nb@b.de\r\n'],
    ['old line ends', 'E-Mail;Note\r\ra@b.de;"x ""y""\nz"\rb@b.de\r'.replaceAll(';', ',')],
  ])('is written anew with %s, row by row and with its blank lines', async (_what, file) => {
    expect(await bodyFor(new Blob([file]))).toMatchObject({
      isTheFile: false,
      text: 'E-Mail,Note\n\na@b.de,"x ""y""\nz"\nb@b.de,""\n',
    });
  });

  it('is nothing where a quote is not closed: the line is named', async () => {
    const rows = (from: string) => new Blob([`email;name\na@b.de;Ada\n${from}`]);
    await expect(bodyFor(rows('b@b.de;"Bob\nc@b.de;Carl\n'))).rejects.toThrow('Line 3 opens a quoted cell');
    await expect(bodyFor(rows('b@b.de;"x\ny"\nc@b.de;"Carl\nd@b.de;"Dora"\n'))).rejects.toThrow(
      'Line 5 has a quoted cell with a stray quote in it.',
    );
    // Longer than the part that is read to guess its columns.
    const long = new Blob([`email;name\n${'a@b.de;Ada\n'.repeat(30_000)}b@b.de;"Bob\n`]);
    await expect(bodyFor(long)).rejects.toThrow('Line 30,002 opens a quoted cell that is never closed.');
  });
});

it('takes what was chosen before for the same columns, and guesses for others', () => {
  const guessed = guessMapping(['email', 'Size'], [['ida@example.com', '38']], nothing);
  const chosen = guessed.map(({ name, target }) => ({
    name,
    target: name === 'Size' ? { kind: 'skip' as const } : target,
  }));
  expect(withChoices(guessed, chosen).map(({ target }) => target.kind)).toEqual(['email', 'skip']);
  expect(withChoices(guessed, chosen.toReversed())).toEqual(guessed);
  expect(withChoices(guessed, [])).toEqual(guessed);
});
