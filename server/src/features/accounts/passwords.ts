// Passwords: argon2id, a few at a time, so that guessing does not take the machine from others.
import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../../http/api-error.js';
import { randomBytes } from '../../lib/random.js';

// What OWASP asks for: argon2id (2), 19 MiB, two passes, one lane. About 20 ms.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
// Out of the four threads that Node has for such work; the others are for files and DNS.
const mostAtOnce = 2;
const mostWaiting = 100;

export const leastPasswordLength = 12;
/** People do not type more, and strangers must not be able to choose how much we hash. */
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

/** Unicode has two forms of some letters: a keyboard must not decide whether a password matches. */
const written = (password: string) => password.normalize('NFC');

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(written(password).slice(0, mostPasswordLength), cost));
}

// The hash of a password that no one has, so that an unknown address takes as long as a known one. Random bytes: nothing was hashed.
const chance = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '');
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${chance(16)}$${chance(32)}`;

/** Whether it is the password. Without a hash it takes as long, and returns false. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(passwordHash ?? decoy, written(password).slice(0, mostPasswordLength)));
  return fits && typeof passwordHash === 'string';
}

/** Why a new password is not good enough, as a sentence; undefined if it is. */
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
