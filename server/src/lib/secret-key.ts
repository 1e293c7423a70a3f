// Where the key of the secret box comes from: SECRET_KEY, or a file that the service keeps.
import { scryptSync } from 'node:crypto';
import { join } from 'node:path';
import { randomBytes } from './random.js';
import { SecretBox } from './secret-box.js';
import { keepSecret, readSecret, writeSecret } from './secret-file.js';

/** The settings that secrets need. */
interface KeySettings {
  secretKey: string | undefined;
  /** Older keys, which only open. */
  secretKeysOld: readonly string[];
}

/** One key per line, newest first. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, 'secret-key');
}

/**
 * 32 bytes as 64 hex digits or as base64; any other text is a passphrase, from which scrypt derives the key. Its salt
 * is not secret and the same everywhere, so that all nodes derive the same key: the passphrase must be a strong one.
 */
export function keyFromText(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url');
  // 32 MiB and about 0.1 s for each guess, and for each start.
  return scryptSync(text, 'rapport secret key', 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
}

/**
 * The secret box of this installation.
 * @param file has the key if SECRET_KEY is not set; created at the first start.
 */
export async function openSecretBox(settings: KeySettings, file: string): Promise<SecretBox> {
  const given = settings.secretKey ?? (await keepSecret(file, newKeyText));
  // If SECRET_KEY was set later, the file may still have the key that sealed everything before.
  const kept = settings.secretKey === undefined ? '' : ((await readSecret(file)) ?? '');
  const [newest = '', ...older] = [...linesOf(given), ...settings.secretKeysOld, ...linesOf(kept)];
  return new SecretBox(keyFromText(newest), older.map(keyFromText));
}

/** Adds a new key in front. The older ones stay, because backups from their time need them. */
export async function addKeyToFile(file: string): Promise<void> {
  await writeSecret(file, [newKeyText(), ...linesOf((await readSecret(file)) ?? '')].join('\n'));
}

function newKeyText(): string {
  return randomBytes(32).toString('base64');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
