import { describe, expect, it } from 'vitest';
import { Complaint } from './complaint.js';
import { databaseComplaint, fileComplaint, inPlainWords } from './system-error.js';

const failure = (code: string, more: object = {}) => Object.assign(new Error(`${code}: it failed`), { code, ...more });

describe('a file', () => {
  it.each([
    ['ENOENT', 'read', 'There is no file /in/a.csv. Check its name and folder.'],
    ['ENOENT', 'written', 'There is no folder /in. Make it, or name a file elsewhere.'],
    ['ENOTDIR', 'read', 'There is no file /in/a.csv.'],
    ['EISDIR', 'read', '/in/a.csv is a folder. Name a file in it.'],
    ['EACCES', 'read', 'This user may not read /in/a.csv. Let it'],
    ['EPERM', 'written', 'This user may not write /in/a.csv. Let it'],
    ['ENOSPC', 'written', 'The disk of /in/a.csv is full. Make room'],
    ['EDQUOT', 'written', 'The disk of /in/a.csv is full. Make room'],
    ['EROFS', 'written', '/in/a.csv is on a disk that can only be read. Name a file elsewhere.'],
    ['EFBIG', 'written', '/in/a.csv has become larger than its disk takes'],
    ['ENAMETOOLONG', 'read', 'The name /in/a.csv is too long.'],
    ['ELOOP', 'read', '/in/a.csv is a link that leads to itself.'],
    ['EMFILE', 'read', 'too many files are open'],
    ['EIO', 'read', '/in/a.csv cannot be read (EIO). Check its disk'],
  ] as const)('that fails with %s while it is %s is named, with what to do', (code, doing, told) => {
    const complaint = fileComplaint(failure(code), '/in/a.csv', doing);
    expect(complaint).toBeInstanceOf(Complaint);
    expect(complaint?.message).toContain(told);
    expect(complaint?.message).not.toContain('it failed');
    expect(complaint?.message).not.toContain('\n');
  });

  it('has nothing to do with other errors', () => {
    for (const error of [new TypeError('x'), failure('23505'), failure('ERR_STREAM_DESTROYED'), 'x'])
      expect(fileComplaint(error, '/in/a.csv', 'read')).toBeUndefined();
  });
});

describe('a database', () => {
  it.each([
    [failure('57P01'), 'The connection to the database broke.'],
    [failure('08006'), 'The connection to the database broke.'],
    [failure('ECONNRESET', { syscall: 'read' }), 'The connection to the database broke.'],
    [new Error('Connection terminated unexpectedly'), 'The connection to the database broke.'],
    [failure('42501'), 'The user in DATABASE_URL lacks a right (it says: 42501: it failed). Name the one'],
    [failure('25006'), 'can only be read (it says: 25006: it failed). Name the primary'],
    [failure('53100'), 'The disk of the database is full'],
    [failure('53200'), 'The database has no room for this now'],
    [failure('28P01'), 'Check user and password in DATABASE_URL.'],
    [failure('22P02'), 'The database does not take a row (it says: 22P02: it failed). Nothing was changed'],
    [failure('XX000'), 'The database refused (it says: XX000: it failed), error XX000.'],
  ])('that says %s is explained', (error, told) => {
    expect(databaseComplaint(error)?.message).toContain(told);
  });

  it('has nothing to do with other errors', () => {
    for (const error of [new TypeError('x'), new Error('A sentence.'), failure('EPERM'), failure('EROFS'), 'x'])
      expect(databaseComplaint(error)).toBeUndefined();
  });
});

describe('the last net', () => {
  it('knows files by their path, and what else a system says as the word of the database', () => {
    const told = (error: unknown) => (inPlainWords(error) as Error).message;
    expect(told(failure('EACCES', { path: '/data/x', syscall: 'open' }))).toContain('may not read /data/x');
    expect(told(failure('ENOSPC', { path: '/data/x', syscall: 'mkdir' }))).toContain('The disk of /data/x is full');
    expect(told(failure('ECONNREFUSED', { syscall: 'connect', path: '/run/x' }))).toContain('to the database broke');
    expect(told(failure('42501'))).toContain('lacks a right');
  });

  it('leaves a bug, and what is a sentence already, as it is', () => {
    for (const error of [new TypeError('x is undefined'), new Complaint('Say it.'), new Error('A sentence.'), 7])
      expect(inPlainWords(error)).toBe(error);
  });
});
