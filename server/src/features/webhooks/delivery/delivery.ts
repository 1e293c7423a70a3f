// Deliveries: a call to make, and its outcome.
import type { DataValue, listWebhookDeliveries } from '@rapport/contract';
import type { Verdict } from './judge.js';

export type DeliveryRow = DataValue<typeof listWebhookDeliveries>;

/** Which visit of a journey's step waits for the answer. */
interface CallOf {
  enrolmentId: string;
  journeyNo: number;
  stepId: string;
  visit: number;
}

export interface NewDelivery {
  /** A UUID; the `webhook-id` of every attempt. */
  deliveryId: string;
  /** Null for a journey's step, and for a post of a feature. */
  webhookId: string | null;
  lane: string;
  call: CallOf | null;
  contactId: string | null;
  type: string;
  method: string;
  /** Or a reference to one that is sealed, see sealed-headers.ts. */
  url: string;
  headers: Readonly<Record<string, string>> | null;
  body: string;
  timeoutMs: number;
}

/** The part of a call's outcome that a journey sees. */
export type CallAnswer =
  /** `body` is the JSON of the response, or undefined if there was none. */
  | { readonly ok: true; readonly status: number; readonly body?: unknown }
  | { readonly ok: false; readonly why: string };

export interface DeliveryOutcome {
  tenantId: number;
  deliveryId: string;
  what: Verdict['what'];
  at: string;
  /** Set if it is tried again. */
  dueAt: string | null;
  status: number | null;
  error: string | null;
  /** The JSON of the response, if it is needed. */
  body?: unknown;
}

/** A delivery whose outcome this process has just stored. */
export interface Recorded {
  tenantId: number;
  deliveryId: string;
  webhookId: string | null;
  lane: string;
  contactId: string | null;
  enrolmentId: string | null;
  journeyNo: number | null;
  visit: number | null;
}
