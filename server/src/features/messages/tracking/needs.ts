import { isGenuine, type ParsedToken, parseToken, type TrackKind } from './tokens.js';

/** What the routes of tracking and its pages ask of the ledger. */
export interface TrackingNeeds {
  /** What a tenant's links are signed with; undefined when there is no such tenant. Asked at every request. */
  keyOf(tenantId: number): Promise<Buffer | undefined>;
  /** Resolves when it cannot be lost any more. */
  record(tenantId: number, engagement: Engagement): Promise<void>;
  subscriptionOf(tenantId: number, messageId: string): Promise<Subscription | undefined>;
  /** False: there is no such message, or its person was erased. The same for its undoing. */
  unsubscribe(tenantId: number, messageId: string, said: Said): Promise<boolean>;
  resubscribe(tenantId: number, messageId: string, said: Said): Promise<boolean>;
  preferencesOf(tenantId: number, messageId: string): Promise<Preferences | undefined>;
  /** What was touched: topics by their ids, and everything as `all`. Answers what is so then. */
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
  /** Of clicks, as is the URL. */
  linkNo?: number;
  url?: string;
}

interface Subscription {
  email: string;
  /** From everything. */
  isUnsubscribed: boolean;
  /** What the message left with, where that is still there. */
  topic?: { topicId: string; name: string; isLeft: boolean } | undefined;
}

/** How a person says it, and of which topic; without one, of everything. */
export interface Said {
  source: 'page' | 'oneClick';
  topicId: string | undefined;
}

/** What the preference page shows. */
export interface Preferences {
  email: string;
  isUnsubscribed: boolean;
  topics: readonly { topicId: string; name: string; description: string | null; isSubscribed: boolean }[];
}

/** What a token says, if we made it. */
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
