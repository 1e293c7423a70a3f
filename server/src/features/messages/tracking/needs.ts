import type { Branding } from '../../tenants/index.js';
import { isGenuine, type ParsedToken, parseToken, type TrackKind } from './tokens.js';

/** What the tracking routes and their pages need from the ledger. */
export interface TrackingNeeds {
  /** The key of a tenant's links; undefined if there is no such tenant. Called for every request. */
  keyOf(tenantId: number): Promise<Buffer | undefined>;
  /** Resolves when the engagement is durably stored. */
  record(tenantId: number, engagement: Engagement): Promise<void>;
  subscriptionOf(tenantId: number, messageId: string): Promise<Subscription | undefined>;
  /** False: the message does not exist, or its person was erased. The same for `resubscribe`. */
  unsubscribe(tenantId: number, messageId: string, said: Said): Promise<boolean>;
  resubscribe(tenantId: number, messageId: string, said: Said): Promise<boolean>;
  preferencesOf(tenantId: number, messageId: string): Promise<Preferences | undefined>;
  /** The changed choices: topics by id, and everything as `all`. Returns the new state. */
  savePreferences(
    tenantId: number,
    messageId: string,
    touched: ReadonlyMap<string, boolean>,
  ): Promise<Preferences | undefined>;
  renderView(tenantId: number, messageId: string): Promise<{ subject: string; html: string } | undefined>;
}

export interface Engagement {
  messageId: string;
  what: 'opened' | 'clicked';
  at: string;
  agent: string | null;
  /** For clicks, as is the URL. */
  linkNo?: number;
  url?: string;
}

interface Subscription {
  email: string;
  /** Unsubscribed from everything. */
  isUnsubscribed: boolean;
  /** The topic that the message was sent with, if it still exists. */
  topic?: { topicId: string; name: string; isLeft: boolean } | undefined;
  branding: Branding | null;
}

/** How a person unsubscribes, and from which topic; without one, from everything. */
export interface Said {
  source: 'page' | 'oneClick';
  topicId: string | undefined;
}

/** What the preference page shows. */
export interface Preferences {
  email: string;
  isUnsubscribed: boolean;
  topics: readonly { topicId: string; name: string; description: string | null; isSubscribed: boolean }[];
  branding: Branding | null;
}

/** The contents of a token, if we made it. */
export async function findGenuine(
  needs: Pick<TrackingNeeds, 'keyOf'>,
  kind: TrackKind,
  token: string,
): Promise<ParsedToken | undefined> {
  const parsed = parseToken(kind, token);
  if (!parsed) return undefined;
  const key = await needs.keyOf(parsed.tenantId);
  return key && isGenuine(key, parsed) ? parsed : undefined;
}
