import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DateFormat, dateFormats, detectDates, readDate } from './date-format.ts';

describe('a date in a file', () => {
  it.each<[DateFormat, string, string | undefined]>([
    ['ymd', '2026-04-03', '2026-04-03'],
    ['ymd', ' 2026/4/3 ', '2026-04-03'],
    ['ymd', '2026-04-03 09:30:00', '2026-04-03T09:30:00Z'],
    ['ymd', '2026-04-03T09:30', '2026-04-03T09:30:00Z'],
    ['ymd', '2026-04-03T09:30:15.123Z', '2026-04-03T09:30:15Z'],
    ['ymd', '2026-04-03 09:30:00+0200', '2026-04-03T09:30:00+02:00'],
    ['ymd', '2026-04-03 09:30:00 UTC', '2026-04-03T09:30:00Z'],
    ['dmy', '03/04/2026', '2026-04-03'],
    ['dmy', '3.4.26', '2026-04-03'],
    ['dmy', '31/02/2026', undefined],
    ['dmy', '04/13/2026', undefined],
    ['mdy', '03/04/2026', '2026-03-04'],
    ['mdy', '3/4/2026 1:05 pm', '2026-03-04T13:05:00Z'],
    ['mdy', '12/31/1999 12:00 AM', '1999-12-31T00:00:00Z'],
    ['named', '3 April 2026', '2026-04-03'],
    ['named', 'Apr 3, 2026', '2026-04-03'],
    ['named', '3rd Sept 2026', '2026-09-03'],
    ['named', '3 Foo 2026', undefined],
    ['seconds', '1775208600', '2026-04-03T09:30:00Z'],
    ['millis', '1775208600000', '2026-04-03T09:30:00Z'],
    ['ymd', '0026-04-03', undefined],
    ['dmy', 'soon', undefined],
    ['ymd', '2026-04-03 25:00', undefined],
  ])('%s %s is %s', (format, cell, wanted) => expect(readDate(cell, format)).toBe(wanted));

  it('is read back as it was written, in every order, for every day', () => {
    const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2069-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const [y = '', m = '', d = ''] = date.toISOString().slice(0, 10).split('-');
        expect(readDate(`${y}-${m}-${d}`, 'ymd')).toBe(`${y}-${m}-${d}`);
        expect(readDate(`${d}.${m}.${y}`, 'dmy')).toBe(`${y}-${m}-${d}`);
        expect(readDate(`${Number(m)}/${Number(d)}/${y.slice(2)}`, 'mdy')).toBe(`${y}-${m}-${d}`);
      }),
    );
  });

  it('never throws, whatever a cell says', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...dateFormats), (cell, format) => {
        expect(readDate(cell, format) ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d/);
      }),
    );
  });
});

describe('the format of a column', () => {
  it('is found by the one cell that can only be read one way', () => {
    expect(detectDates(['03/04/2026', '17/04/2026'])).toEqual({ format: 'dmy', isSure: true });
    expect(detectDates(['03/04/2026', '04/17/2026'])).toEqual({ format: 'mdy', isSure: true });
  });

  it('is a guess where every cell can be read both ways', () => {
    expect(detectDates(['03/04/2026'])).toEqual({ format: 'dmy', isSure: false });
    expect(detectDates(['03/04/2026'], { isMonthFirst: true })).toEqual({ format: 'mdy', isSure: false });
  });

  it('is still a format if a few cells do not read, and none if most do not', () => {
    expect(detectDates(['2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06', 'soon'])?.format).toBe('ymd');
    expect(detectDates(['2026-04-03', 'pro', 'free'])).toBeUndefined();
    expect(detectDates([])).toBeUndefined();
  });

  it('takes numbers for times only where the column says so', () => {
    expect(detectDates(['1775208600'])).toBeUndefined();
    expect(detectDates(['1775208600'], { mayBeNumbers: true })).toEqual({ format: 'seconds', isSure: true });
  });
});
