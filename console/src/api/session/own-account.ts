// The account of the person who is signed in with this browser. Asked of the session itself, because a token cannot change it.
import type { Role } from '@rapport/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';

export interface OwnAccount {
  name: string;
  email: string;
  /** False for a session by single sign-on, which can change nothing. */
  isOwn: boolean;
  hasPassword: boolean;
  /** Whether a new password needs the old one: not if they came by an operator's link. */
  asksPassword: boolean;
  secondFactor: SecondFactor | null;
  workspaces: { tenantId: number; name: string; role: Role; isHere: boolean }[];
  browsers: SignedInBrowser[];
}

export interface SecondFactor {
  isOn: boolean;
  codesLeft: number;
  /** What an app needs to become the second factor, as text and as a QR code: the path of an SVG and the length of its sides. */
  trial: { secret: string; code: { path: string; size: number } } | null;
}

export interface SignedInBrowser {
  sessionId: number;
  name: string;
  address: string | null;
  createdAt: string;
  seenAt: string;
  isThis: boolean;
}

/** What was done, as a sentence, or codes that are shown only once. */
interface Changed {
  good?: string;
  codes?: string[];
}

type Change =
  | { do: 'name'; name: string }
  | { do: 'password'; password: string; current?: string }
  | { do: 'add-second-factor' }
  | { do: 'confirm-second-factor'; code: string }
  | { do: 'renew-codes' | 'remove-second-factor'; current?: string }
  | { do: 'end-session'; session: string };

const path = '/oauth/session/account';

/** The session has ended. */
export class SignedOut extends Error {}

async function answerOf<Answer>(answer: Response): Promise<Answer> {
  if (answer.status === 401) throw new SignedOut('You are no longer signed in.');
  const said = (await answer.json().catch(() => ({}))) as Answer & { bad?: string };
  if (!answer.ok) throw new Error(said.bad ?? `The service can’t do this right now (${answer.status}). Try again.`);
  return said;
}

export const ownAccount = () =>
  queryOptions({
    queryKey: ['own-account'],
    queryFn: async ({ signal }) => answerOf<OwnAccount>(await fetch(path, { credentials: 'same-origin', signal })),
  });

export const readOwnAccountAgain = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: ownAccount().queryKey });

export async function changeOwnAccount(change: Change): Promise<Changed> {
  const headers = { 'content-type': 'application/json' };
  return answerOf(
    await fetch(path, { method: 'POST', credentials: 'same-origin', headers, body: JSON.stringify(change) }),
  );
}

/** In every browser, this one too. */
export async function signOutEverywhere(): Promise<void> {
  const answer = await fetch('/oauth/sign-out-everywhere', { method: 'POST', credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`The service can’t do this right now (${answer.status}). Try again.`);
}
