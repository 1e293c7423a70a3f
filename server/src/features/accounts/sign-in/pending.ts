// Between the password and the code. Nothing is stored: the form itself carries who it is, sealed.
import { hash } from 'node:crypto';
import { parseJson } from '../../../lib/parse-json.js';
import { type SecretBox, SecretBoxError } from '../../../lib/secret-box.js';
import type { PersonRow } from '../people/queries.js';

/** Who has passed the first factor, and how. */
export interface Pending {
  personId: number;
  by: 'password' | 'link' | 'reset';
  next?: string | undefined;
  /** The workspace to enter, if it is known. */
  tenantId?: number | undefined;
}

interface Kept extends Pending {
  until: number;
  /** The field of the form that it was sent with: another browser has another. */
  form: string;
  /** Depends on their password: changing it ends this. */
  password: string;
}

const about = 'first factor';
const lastsMs = 10 * 60_000;

const fingerprint = ({ passwordHash }: PersonRow) => hash('sha256', `pending ${passwordHash}`);

export function sealPending(box: SecretBox, pending: Pending, person: PersonRow, form: string, now: Date): string {
  const kept: Kept = { ...pending, until: now.getTime() + lastsMs, form, password: fingerprint(person) };
  return box.seal(JSON.stringify(kept), about).toString('base64url');
}

/** Undefined if it is too old, from another browser, or not ours. */
export async function openPending(
  box: SecretBox,
  sealed: string,
  form: string,
  now: Date,
  find: (personId: number) => Promise<PersonRow | undefined>,
): Promise<{ pending: Pending; person: PersonRow } | undefined> {
  const kept = opened(box, sealed);
  if (!kept || kept.until <= now.getTime() || kept.form !== form) return undefined;
  const person = await find(kept.personId);
  if (!person || fingerprint(person) !== kept.password) return undefined;
  const { personId, by, next, tenantId } = kept;
  return { pending: { personId, by, next, tenantId }, person };
}

function opened(box: SecretBox, sealed: string): Kept | undefined {
  try {
    return parseJson(box.open(Buffer.from(sealed, 'base64url'), about).toString('utf8')) as Kept;
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}
