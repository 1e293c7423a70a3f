import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { sql } from '../db/sql.js';
import { errorCode, prospectOf } from './prospect.js';

const t = useDatabase();
const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('what waiting can do about an error', () => {
  it.each(['08006', '40001', '40P01', '53300', '53100', '55P03', '57P01', '57P03', '58030', '25006', 'ECONNRESET'])(
    '%s passes',
    (code) => expect(prospectOf(withCode(code))).toBe('passes'),
  );
  it.each(['26000', '42P05', '42P03', '34000', '08P01', '25P01', '25P02'])(
    '%s passes: a pooler mixed connections up, and nothing is wrong with the data',
    (code) => expect(prospectOf(withCode(code))).toBe('passes'),
  );
  it.each(['28P01', '3D000', '3F000', '42501'])('%s passes: somebody has to mend it, and nothing is lost', (code) =>
    expect(prospectOf(withCode(code))).toBe('passes'),
  );
  it('an outdated plan passes; for other unsupported features it is unknown', () => {
    const outdated = Object.assign(new Error('cached plan must not change result type'), { code: '0A000' });
    expect(prospectOf(outdated)).toBe('passes');
    expect(prospectOf(withCode('0A000'))).toBe('unknown');
  });
  it.each(['22001', '22P05', '23505', '23514', '54000'])('%s stays', (code) =>
    expect(prospectOf(withCode(code))).toBe('stays'),
  );
  it.each(['42P01', 'XX000', '0A000', 'ERR_SOMETHING', '22'])('%s is unknown', (code) =>
    expect(prospectOf(withCode(code))).toBe('unknown'),
  );
  it.each([new TypeError('x'), new RangeError('x'), new SyntaxError('x')])('a %s stays', (error) =>
    expect(prospectOf(error)).toBe('stays'),
  );
  it('a plain Error, or something that is not one, is unknown', () => {
    expect(prospectOf(new Error('oops'))).toBe('unknown');
    expect(prospectOf('oops')).toBe('unknown');
    expect(prospectOf(undefined)).toBe('unknown');
  });
  it('is derived from what PostgreSQL really throws', async () => {
    const error = async (statement: Parameters<typeof t.db.run>[0]) => t.db.run(statement).catch((thrown) => thrown);
    expect(prospectOf(await error(sql`select 1 / 0`))).toBe('stays');
    expect(prospectOf(await error(sql`select nothing`))).toBe('unknown');
    expect(prospectOf(await error(sql`select pg_terminate_backend(pg_backend_pid())`))).toBe('passes');
  });
});

it('shows a caller the code or the name of an error, never its text', () => {
  expect(errorCode(withCode('22001'))).toBe('code 22001');
  expect(errorCode(new TypeError('secret'))).toBe('TypeError');
  expect(errorCode('secret')).toBe('an error');
  expect(errorCode(null)).toBe('an error');
});
