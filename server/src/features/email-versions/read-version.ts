import { storeVersion, type VersionText } from '@rapport/contract';
import { ApiError } from '../../http/api-error.js';
import { bodyReader } from '../../http/body.js';
import { isSoundText, normalizeEmail } from '../../lib/text.js';

/** One arrival: what it names, as far as that is readable, and its text or what is wrong with its shape. */
export interface Arrival {
  assetId: string | null;
  /** The address for the activity and the outcome, or null if there is none to show. */
  email: string | null;
  read: { ok: true; version: VersionText } | { ok: false; error: ApiError };
}

const readShape = bodyReader(storeVersion.body, 'POST');

export function readVersion(item: unknown): Arrival {
  const { assetId, email } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>;
  const named = {
    assetId: typeof assetId === 'string' && isSoundText(assetId) ? assetId : null,
    email: typeof email === 'string' ? shownEmail(email) : null,
  };
  try {
    return { ...named, read: { ok: true, version: readShape(item) as VersionText } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...named, read: { ok: false, error } };
  }
}

function shownEmail(text: string): string | null {
  const email = normalizeEmail(text);
  return isSoundText(email) && email.length <= 254 && email !== '' ? email : null;
}
