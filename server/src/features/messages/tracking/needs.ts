import { isGenuine, type ParsedToken, parseToken, type TrackKind } from './tokens.js';

/** What the routes of tracking and its pages ask of the ledger. */
export interface TrackingNeeds {
  /** What a tenant's links are signed with; undefined when there is no such tenant. Asked at every request. */
  keyOf(tenantId: number): Promise<Buffer | undefined>;
  /** Resolves when it cannot be lost any more. */
  record(tenantId: number, engagement: Engagement): Promise<void>;
  subscriptionOf(tenantId: number, messageId: string): Promise<Subscription | undefined>;
  /** False: there is no such message, or its person was erased. The same for its undoing. */
  unsubscribe(tenantId: number, messageId: string): Promise<boolean>;
  resubscribe(tenantId: number, messageId: string): Promise<boolean>;
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
  isUnsubscribed: boolean;
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
