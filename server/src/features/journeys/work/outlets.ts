// What effects of steps become elsewhere. Features below have their own words for it; these are the ones that a turn needs.
import type { Transaction } from '../../../db/database.js';
import type { Words } from '../engine/types.js';
import type { Announce } from './store.js';

export interface JourneyMessage {
  messageId: string;
  kind: 'journey' | 'transactional';
  emailId: string;
  contactId: string;
  journeyId: string;
  runId: string | null;
  enrolmentId: string;
  stepId: string;
  visit: number;
  words: Words | null;
  dueAt: string;
  cap: { messages: number; perMs: number } | null;
  skipped: string | null;
}

export interface WebhookCall {
  deliveryId: string;
  enrolmentId: string;
  journeyNo: number;
  stepId: string;
  visit: number;
  contactId: string;
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
}

export interface Outlets {
  /** Answers what became of each: queued, or skipped and why. */
  queueMessages(
    tx: Transaction,
    tenantId: number,
    messages: readonly JourneyMessage[],
    now: string,
  ): Promise<readonly { state: string; reason: string | null }[]>;
  enqueueCalls(tx: Transaction, tenantId: number, calls: readonly WebhookCall[]): Promise<void>;
  announce: Announce;
  /** There are messages to send, or webhooks to call. */
  wake(queue: 'messages' | 'webhooks'): void;
}
