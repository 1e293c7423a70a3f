// Secrets at rest: SMTP passwords, DKIM keys, keys of hooks. AES-256-GCM under the installation's key.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { randomBytes } from './random.js';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const [formatBytes, idBytes, nonceBytes, tagBytes] = [1, 4, 12, 16];
const headBytes = formatBytes + idBytes;
const leastBytes = headBytes + nonceBytes + tagBytes;
// The version of the layout: this byte, the key id, the nonce, the tag, the secret.
const format = 1;

/** Why a secret cannot be read, and what to do: a sentence without secrets. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

/**
 * Seals under its key and opens what that key or an older one sealed. The key id comes first, so that a new key can
 * be added while secrets sealed by the old one still exist.
 */
export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  private readonly newest: { id: Buffer; key: Buffer };

  /** @param older keys that only open. */
  constructor(key: Buffer, older: readonly Buffer[] = []) {
    this.newest = { id: idOf(key), key };
    for (const each of [key, ...older]) this.keys.set(idOf(each).toString('hex'), each);
  }

  /**
   * @param about what the secret belongs to, such as `dkim:7:example.com`. Opening needs the same text, so a person who can write to
   * the database cannot put one tenant's secret in another's place.
   */
  seal(text: string | Buffer, about: string): Buffer {
    const head = Buffer.concat([Buffer.of(format), this.newest.id]);
    // 96 random bits are enough for 2^32 secrets under one key.
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.newest.key, nonce, { authTagLength: tagBytes });
    sealing.setAAD(boundTo(head, about));
    const sealed = Buffer.concat([
      sealing.update(typeof text === 'string' ? Buffer.from(text) : text),
      sealing.final(),
    ]);
    return Buffer.concat([head, nonce, sealing.getAuthTag(), sealed]);
  }

  /** Throws SecretBoxError. */
  open(sealed: Buffer, about: string): Buffer {
    if (sealed.length < leastBytes || sealed[0] !== format)
      throw new SecretBoxError(`The secret ${about} is damaged, or a newer build made it. Set it again.`);
    const key = this.keys.get(keyIdOf(sealed));
    if (!key) throw unknownKey(about, keyIdOf(sealed));
    const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
    const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    opening.setAAD(boundTo(sealed.subarray(0, headBytes), about));
    opening.setAuthTag(sealed.subarray(headBytes + nonceBytes, leastBytes));
    try {
      return Buffer.concat([opening.update(sealed.subarray(leastBytes)), opening.final()]);
    } catch (cause) {
      throw new SecretBoxError(`The secret ${about} was changed, or is in the place of another. Set it again.`, {
        cause,
      });
    }
  }

  /** Whether it has the key that sealed this; its first bytes are enough. */
  knows(sealed: Buffer): boolean {
    return sealed[0] === format && this.keys.has(keyIdOf(sealed));
  }

  /** Whether the newest key sealed it. */
  isCurrent(sealed: Buffer): boolean {
    return sealed[0] === format && keyIdOf(sealed) === this.newest.id.toString('hex');
  }
}

function unknownKey(about: string, id: string): SecretBoxError {
  return new SecretBoxError(
    `The secret ${about} was encrypted under a key that is not here (${id}). ` +
      'Give the service that key as SECRET_KEY, or in SECRET_KEY_OLD, or put back DATA_DIR/secret-key; all nodes need the same.',
  );
}

function keyIdOf(sealed: Buffer): string {
  return sealed.toString('hex', formatBytes, headBytes);
}

/** Distinguishes keys without revealing anything about them. */
function idOf(key: Buffer): Buffer {
  if (key.length !== keyBytes) throw new TypeError(`A key has ${keyBytes} bytes.`);
  return createHash('sha256').update('rapport key id\n').update(key).digest().subarray(0, idBytes);
}

function boundTo(head: Buffer, about: string): Buffer {
  return Buffer.concat([head, Buffer.from(about)]);
}
