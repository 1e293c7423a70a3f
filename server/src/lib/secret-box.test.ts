import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes } from './random.js';
import { SecretBox, SecretBoxError } from './secret-box.js';
import { addKeyToFile, keyFromText, openSecretBox } from './secret-key.js';

const [one, two] = [randomBytes(32), randomBytes(32)];

describe('the secret box', () => {
  it('opens whatever it sealed, and never seals the same way twice', () => {
    const box = new SecretBox(one);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.string(), (bytes, about) => {
        const sealed = box.seal(Buffer.from(bytes), about);
        expect(box.open(sealed, about)).toEqual(Buffer.from(bytes));
        expect(box.seal(Buffer.from(bytes), about)).not.toEqual(sealed);
      }),
    );
    expect(box.open(box.seal('pässword', 'x'), 'x').toString()).toBe('pässword');
  });

  it('opens nothing with a single bit changed', () => {
    const box = new SecretBox(one);
    const sealed = box.seal('a secret', 'smtp:1');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => box.open(changed, 'smtp:1')).toThrow(SecretBoxError);
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => box.open(sealed.subarray(0, length), 'smtp:1')).toThrow(SecretBoxError);
  });

  it('opens nothing in the place of another', () => {
    const box = new SecretBox(one);
    expect(() => box.open(box.seal('a secret', 'smtp:1'), 'smtp:2')).toThrow('in the place of another');
  });

  it('opens what an older key sealed, and seals under the newest', () => {
    const sealed = new SecretBox(one).seal('a secret', 'x');
    const rotated = new SecretBox(two, [one]);
    expect(rotated.open(sealed, 'x').toString()).toBe('a secret');
    expect(rotated.isCurrent(sealed)).toBe(false);
    expect([rotated.knows(sealed), rotated.knows(sealed.subarray(0, 5)), new SecretBox(two).knows(sealed)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(rotated.isCurrent(rotated.seal('a secret', 'x'))).toBe(true);
  });

  it('says in one sentence each what is wrong and what to do about a key that it does not know', () => {
    const sealed = new SecretBox(one).seal('a secret', 'smtp:1');
    const told = () => new SecretBox(two).open(sealed, 'smtp:1');
    expect(told).toThrow(/^The secret smtp:1 was encrypted under a key that is not here \([0-9a-f]{8}\)\. Give .*\.$/);
    expect(told).toThrow('SECRET_KEY_OLD');
  });

  it('refuses a key of another length', () => {
    expect(() => new SecretBox(randomBytes(16))).toThrow('32 bytes');
  });
});

describe('the key', () => {
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rapport-key-'));
    file = join(folder, 'secret-key');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const unset = { secretKey: undefined, secretKeysOld: [] };

  it('is 32 bytes as hex or base64, and is derived from any other text, always the same', () => {
    expect(keyFromText(one.toString('hex'))).toEqual(one);
    expect(keyFromText(one.toString('hex').toUpperCase())).toEqual(one);
    expect(keyFromText(one.toString('base64'))).toEqual(one);
    expect(keyFromText(one.toString('base64url'))).toEqual(one);
    const derived = keyFromText('correct horse battery staple');
    expect(derived).toHaveLength(32);
    expect(keyFromText('correct horse battery staple')).toEqual(derived);
    expect(keyFromText('correct horse battery stapler')).not.toEqual(derived);
  });

  it('is made once and kept in a file that only its owner can read', async () => {
    const [a, b] = await Promise.all([openSecretBox(unset, file), openSecretBox(unset, file)]);
    expect(b.open(a.seal('x', 'y'), 'y').toString()).toBe('x');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('gives way to a new one, and still opens', async () => {
    const before = await openSecretBox(unset, file);
    const sealed = before.seal('x', 'y');
    await addKeyToFile(file);
    const after = await openSecretBox(unset, file);
    expect(after.isCurrent(sealed)).toBe(false);
    expect(after.open(sealed, 'y').toString()).toBe('x');
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is SECRET_KEY where that is set, and the file and SECRET_KEY_OLD open', async () => {
    const sealed = (await openSecretBox(unset, file)).seal('x', 'y');
    const old = new SecretBox(two).seal('x', 'y');
    const box = await openSecretBox({ secretKey: one.toString('hex'), secretKeysOld: [two.toString('base64')] }, file);
    for (const each of [sealed, old]) expect(box.open(each, 'y').toString()).toBe('x');
    expect(new SecretBox(one).isCurrent(box.seal('x', 'y'))).toBe(true);
    // Where there is no file, none is made.
    const elsewhere = join(folder, 'none');
    await openSecretBox({ secretKey: one.toString('hex'), secretKeysOld: [] }, elsewhere);
    await expect(stat(elsewhere)).rejects.toThrow('ENOENT');
  });

  it('may be written into the file by hand', async () => {
    const own = join(folder, 'own');
    await writeFile(own, `\n${one.toString('base64')}\n\n${two.toString('hex')}\n`);
    const box = await openSecretBox(unset, own);
    expect(box.isCurrent(new SecretBox(one).seal('x', 'y'))).toBe(true);
    expect(box.open(new SecretBox(two).seal('x', 'y'), 'y').toString()).toBe('x');
  });
});
