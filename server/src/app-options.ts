// What the app is built with, and what it can do.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from './db/database.js';
import type { FormLimits } from './features/forms/index.js';
import type { MailDesk, MessageSettings } from './features/messages/index.js';
import type { OutsideSettings } from './features/tenants/index.js';
import type { WebhookSettings } from './features/webhooks/index.js';
import type { TakeBudget } from './http/rate-limit.js';
import type { Clock } from './lib/clock.js';
import type { SecretBox } from './lib/secret-box.js';
import type { Locate } from './mail/smtp.js';
import type { Transport } from './mail/transport.js';

export interface AppOptions {
  db: Database;
  adminToken: string;
  /** Asked at each use: the port may be known only once the service listens. */
  baseUrl: () => string;
  log: FastifyBaseLogger;
  clock?: Clock;
  takeBudget?: TakeBudget;
  /** How messages leave. By default they are kept in the outbox. */
  transport?: Transport;
  /** Seals stored secrets. By default with a key that ends with the process: for tests. */
  box?: SecretBox;
  /** Where the records of sending domains are looked up; by default the machine's resolver. */
  dnsServers?: readonly string[];
  /** The host that takes bounces; that of the base URL by default. */
  mailHost?: string | undefined;
  /** Whether links use names of the senders' domains: see docs/sending.md. */
  trackingDomains?: boolean | undefined;
  spfInclude?: string | undefined;
  /** Who mail about accounts is from; no-reply at `mailHost`, else at the host of the base URL, by default. */
  accountMailFrom?: string | undefined;
  /** How fast mail leaves, for how long it is tried, and when it stops. */
  messages?: Partial<MessageSettings>;
  /** Opens a tenant's own transport. `locate` resolves its host, if that must not be anywhere. */
  connectTransport?(smtpUrl: string, connections: number, locate: Locate | undefined): Promise<Transport>;
  processMetrics?: boolean;
  /** False for a process that only works: it answers health and metrics, not the API. */
  serveApi?: boolean;
  /** Tells other processes that there is work in a queue. */
  wakeOthers?: (queue: string) => void;
  /** How long finished transactions stay readable. */
  transactionRetentionDays?: number;
  /** How long events are kept; forever by default. */
  eventRetentionDays?: number | undefined;
  /** How many saves of an email are kept; 100 by default. */
  emailHistoryLimit?: number;
  outboxRetentionDays?: number;
  /** How long the texts of sent versions can be viewed; forever by default. */
  versionTextRetentionDays?: number | undefined;
  /** How many journeys one rollup of statistics covers; 500 by default. */
  rollupLimit?: number;
  /** Of the activity of emails. */
  activityRetentionDays?: number;
  ingestLogRetentionDays?: number;
  /** Another issuer whose tokens are accepted, too. */
  outside?: OutsideSettings | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. By default none is. */
  trustedProxies?: readonly string[];
  /** How often forms may be sent. */
  forms?: Partial<FormLimits>;
  /** Whom webhooks may reach, and how long deliveries are shown. */
  webhooks?: Partial<WebhookSettings>;
}

export interface App {
  http: FastifyInstance;
  /** For the listener of bounces, and for the demo. */
  mail: MailDesk;
  /** From then on /readyz says no, so that a load balancer goes elsewhere. */
  drain(): void;
  /** The worker role: does what waits, and the background chores. */
  startWork(): void;
  /** There is work in a queue: a write was acknowledged. */
  wake(queue: string): void;
  close(): Promise<void>;
}
