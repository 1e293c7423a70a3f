// The second factor: codes of an app (TOTP), and recovery codes for people who lost it. Each code works once.
import { hash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Runner } from '../../../db/database.js';
import { randomBytes } from '../../../lib/random.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import type { PersonRow } from '../people/queries.js';
import {
  clearSecondFactor,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  updateInForce,
  updateTrialSecret,
} from './queries.js';

// What every app understands.
const [digits, period] = [6, 30];
const secretBytes = 20;
// How many steps a clock may be off, either way.
const steps = 1;
const recoveryCodes = 10;

// As in the drawer in queries.ts, which moves secrets to a new key.
const about = (personId: number) => `totp:0:${personId}`;

/** Whether they have to enter a code. */
export function hasSecondFactor(person: Pick<PersonRow, 'totpSecret' | 'totpSince'>): boolean {
  return person.totpSecret !== null && person.totpSince !== null;
}

function totpOf(secret: Buffer, email: string): TOTP {
  // A copy: small buffers share memory.
  const own = new Secret({ buffer: new Uint8Array(secret).buffer });
  return new TOTP({ issuer: 'Rapport', label: email, algorithm: 'SHA1', digits, period, secret: own });
}

/** The 30-second step that a code belongs to; undefined if to none near `now`. */
function stepOf(box: SecretBox, person: PersonRow, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '');
  if (person.totpSecret === null || !/^\d{6}$/.test(token)) return undefined;
  const totp = totpOf(box.open(Buffer.from(person.totpSecret, 'hex'), about(person.personId)), person.email);
  const delta = totp.validate({ token, timestamp: now.getTime(), window: steps });
  return delta === null ? undefined : totp.counter({ timestamp: now.getTime() }) + delta;
}

/** Whether it is an unused code of their app. Uses it up. */
export async function isCode(db: Runner, box: SecretBox, person: PersonRow, code: string, now: Date): Promise<boolean> {
  const step = stepOf(box, person, code, now);
  return step !== undefined && takeStep(db, person.personId, step);
}

/** Whether it is an unused recovery code of theirs. Uses it up. */
export function isRecoveryCode(db: Runner, personId: number, code: string): Promise<boolean> {
  return takeRecoveryCode(db, personId, recoveryHash(personId, code));
}

/** What an app needs to know to become the second factor. It takes effect once they enter a code, see `confirmTotp`. */
interface TotpTrial {
  /** Base32, to type by hand. */
  secret: string;
  /** `otpauth://…`, for a QR code. */
  uri: string;
}

/** A new secret to try. Undefined while a second factor is in force: that has to be removed first. */
export async function startTotp(
  db: Runner,
  box: SecretBox,
  person: Pick<PersonRow, 'personId' | 'email'>,
): Promise<TotpTrial | undefined> {
  const secret = randomBytes(secretBytes);
  const sealed = box.seal(secret, about(person.personId)).toString('hex');
  return (await updateTrialSecret(db, person.personId, sealed)) ? trialOf(secret, person.email) : undefined;
}

/** The secret that they are trying. Undefined if there is none, or it is in force. */
export function findTrial(box: SecretBox, person: PersonRow): TotpTrial | undefined {
  if (person.totpSecret === null || person.totpSince !== null) return undefined;
  return trialOf(box.open(Buffer.from(person.totpSecret, 'hex'), about(person.personId)), person.email);
}

function trialOf(secret: Buffer, email: string): TotpTrial {
  const totp = totpOf(secret, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Puts the secret that they are trying in force, if the code belongs to it. */
export async function confirmTotp(
  db: Runner,
  box: SecretBox,
  person: PersonRow,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = stepOf(box, person, code, now);
  return step !== undefined && updateInForce(db, person.personId, person.totpSecret as string, step);
}

/** Removes the second factor and the recovery codes. False if there was none. */
export function removeSecondFactor(db: Runner, personId: number): Promise<boolean> {
  return clearSecondFactor(db, personId);
}

/** Replaces them, in a transaction. They are shown only now. */
export async function renewRecoveryCodes(tx: Runner, personId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  await deleteRecoveryCodes(tx, personId);
  await insertRecoveryCodes(
    tx,
    personId,
    codes.map((code) => recoveryHash(personId, code)),
  );
  return codes;
}

/** 80 random bits, such as `k4jx-7q2m-…`: it cannot be guessed, so a plain hash is enough. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(10)).buffer }).base32.toLowerCase();
  return (text.match(/.{4}/g) as string[]).join('-');
}

function recoveryHash(personId: number, code: string): string {
  return hash('sha256', `recovery code ${personId} ${code.replace(/[\s-]/g, '').toLowerCase()}`);
}
