// Passwords: argon2id, a few at a time, so that guessing does not take the machine from others.
import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../../http/api-error.js';
import { randomBytes } from '../../lib/random.js';

// What OWASP asks for: argon2id (2), 19 MiB, two passes, one lane. About 20 ms.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// Of four threads that Node has for such work; the others are for files and names.
const mostAtOnce = 2;
const mostWaiting = 100;

export const leastPasswordLength = 12;
/** No person types more, and hashing must not become work that a stranger can choose. */
export const mostPasswordLength = 256;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting)
    throw new ApiError('NOT_READY', { reason: 'too many people sign in at once; try again in a few seconds' });
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** Unicode writes some letters in two ways: a keyboard must not decide whether a password fits. */
const written = (password: string) => password.normalize('NFC');

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(written(password).slice(0, mostPasswordLength), cost));
}

// Of a password that no one has, so that an unknown address takes as long as a known one. It is random and needs no hashing.
const chance = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '');
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${chance(16)}$${chance(32)}`;

/** Whether it is the password. Without a hash it takes as long, and says no. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(passwordHash ?? decoy, written(password).slice(0, mostPasswordLength)));
  return fits && typeof passwordHash === 'string';
}

/** Why a new password will not do, as a sentence; undefined where it will. */
export function faultOfPassword(password: string, about: readonly string[]): string | undefined {
  if (password.length < leastPasswordLength)
    return `Choose a password of at least ${leastPasswordLength} characters. A few words in a row are easy to remember.`;
  if (password.length > mostPasswordLength) return `Choose a password of at most ${mostPasswordLength} characters.`;
  const plain = password.toLowerCase();
  if (new Set(plain).size < 5) return 'Choose a password with more different characters.';
  if (about.some((word) => word.length >= 4 && plain.includes(word.toLowerCase())))
    return 'Choose a password without your name or email address in it.';
  return undefined;
}
