// The only reader of the environment. A wrong value stops the start with a sentence that names the variable.
import { resolve } from 'node:path';
import { type OutsideIssuer, outsideIssuer } from './config/outside-issuer.js';
import {
  addresses,
  ConfigError,
  domainName,
  emailAddress,
  flag,
  hostName,
  listOf,
  networks,
  origin,
  databaseUrl as readDatabaseUrl,
  share,
  url,
  visible,
  whole,
  word,
  wrong,
} from './config/values.js';

export { ConfigError };

export interface Config {
  host: string;
  port: number;
  /** Unset: derived from the address the service really listens on. */
  baseUrl: string | undefined;
  /** Unset: true if BASE_URL is http. */
  trackingDomains: boolean | undefined;
  dataDir: string;
  /** Unset: the embedded PostgreSQL under dataDir. */
  databaseUrl: string | undefined;
  /** For migrations and LISTEN, where DATABASE_URL is a pooler. Unset: DATABASE_URL itself. The embedded one has none. */
  databaseDirectUrl: string | undefined;
  /** For slow reads, while it lags less than this. Unset: DATABASE_URL takes them too. */
  databaseReplicaUrl: string | undefined;
  replicaLagMs: number;
  redisUrl: string | undefined;
  /** Unset: messages are kept in the outbox instead of sent. */
  smtpUrl: string | undefined;
  /** Unset: generated and kept under dataDir. */
  adminToken: string | undefined;
  /** What secrets are encrypted with: 32 bytes as hex or base64, or a passphrase. Unset: generated and kept under dataDir. */
  secretKey: string | undefined;
  /** Keys before it, which still open what they encrypted. */
  secretKeysOld: string[];
  /** Where the records of sending domains are looked up. None: where the machine looks. */
  dnsServers: string[];
  /** The host that takes bounces, for the records of sending domains. Unset: that of the base URL. */
  mailHost: string | undefined;
  /** Who mail about accounts is from. Unset: no-reply at mailHost, else at the host of the base URL. */
  accountMailFrom: string | undefined;
  /** The name whose SPF record lists the machines that send. Unset: mailHost. */
  spfInclude: string | undefined;
  /** Whether mail may leave only from verified domains. */
  requireVerifiedDomains: boolean;
  /** Messages a second over SMTP_URL. Unset: no limit. */
  sendRate: number | undefined;
  sendConnections: number;
  /** Messages at once to one recipient domain. */
  sendPerDomain: number;
  sendTimeoutSeconds: number;
  sendRetryHours: number;
  /** When a tenant's mail is paused: from this many messages in 24 hours, at these shares of complaints and hard bounces. */
  pause: { leastMessages: number; complaintRate: number; bounceRate: number };
  /** Where bounces and complaints are received. Unset: nowhere. */
  inboundSmtpPort: number | undefined;
  role: 'api' | 'worker' | 'all';
  logLevel: (typeof logLevels)[number];
  /** Unset: text on a terminal, JSON elsewhere. */
  logFormat: (typeof logFormats)[number] | undefined;
  demo: boolean;
  transactionRetentionDays: number;
  /** Unset: events are kept. */
  eventRetentionDays: number | undefined;
  /** How many saves of an email are kept. */
  emailHistoryLimit: number;
  outboxRetentionDays: number;
  /** How long texts for one person are kept; undefined: forever. */
  versionTextRetentionDays: number | undefined;
  activityRetentionDays: number;
  ingestLogRetentionDays: number;
  webhookRetentionDays: number;
  /** Whether webhooks may be sent to private and loopback addresses. */
  webhookAllowPrivate: boolean;
  /** How many journeys one rollup of statistics covers. */
  rollupLimit: number;
  /** How often forms may be sent: by a network and a form in a minute, by an address in an hour. */
  forms: { perNetwork: number; perForm: number; perAddress: number };
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  /** Whether traces are recorded: OpenTelemetry's own variables say where they go. */
  tracing: boolean;
  /** Another issuer whose access tokens are accepted, too. */
  outside: OutsideIssuer | undefined;
  /** Where to look for PostgreSQL binaries on a platform that the packages do not cover. */
  path: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['text', 'json'] as const;
const roles = ['api', 'worker', 'all'] as const;

/** As OpenTelemetry reads its variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables */
function isTraced(read: (name: string) => string | undefined): boolean {
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = read('OTEL_TRACES_EXPORTER');
  if (exporter !== undefined) return exporter !== 'none';
  return Boolean(read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? read('OTEL_EXPORTER_OTLP_ENDPOINT'));
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  // Set but empty counts as unset.
  const read = (name: string) => (env[name] === '' ? undefined : env[name]);
  const host = read('HOST') ?? '127.0.0.1';
  const databaseUrl = readDatabaseUrl('DATABASE_URL', read('DATABASE_URL'));
  const directUrl = readDatabaseUrl('DATABASE_DIRECT_URL', read('DATABASE_DIRECT_URL'));
  const replicaUrl = readDatabaseUrl('DATABASE_REPLICA_URL', read('DATABASE_REPLICA_URL'));
  if (replicaUrl && !databaseUrl)
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL: set both or neither.');
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  return {
    host: hostName(host),
    port: whole('PORT', read('PORT'), 8080, 0, 65_535),
    baseUrl: origin('BASE_URL', read('BASE_URL')),
    trackingDomains: flag('TRACKING_DOMAINS', read('TRACKING_DOMAINS'), undefined),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl,
    databaseDirectUrl: databaseUrl && (directUrl ?? databaseUrl),
    databaseReplicaUrl: replicaUrl,
    replicaLagMs: whole('DATABASE_REPLICA_LAG_MS', read('DATABASE_REPLICA_LAG_MS'), 2000, 1, 60_000),
    redisUrl: url('REDIS_URL', read('REDIS_URL'), ['redis:', 'rediss:']),
    smtpUrl: url('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:']),
    adminToken: visible('ADMIN_TOKEN', read('ADMIN_TOKEN')),
    ...secretKeys(read('SECRET_KEY'), read('SECRET_KEY_OLD')),
    dnsServers: addresses('DNS_SERVERS', read('DNS_SERVERS')),
    mailHost: domainName('MAIL_HOST', read('MAIL_HOST')),
    accountMailFrom: emailAddress('ACCOUNT_MAIL_FROM', read('ACCOUNT_MAIL_FROM')),
    spfInclude: domainName('SPF_INCLUDE', read('SPF_INCLUDE')),
    requireVerifiedDomains: flag('REQUIRE_VERIFIED_DOMAINS', read('REQUIRE_VERIFIED_DOMAINS'), false),
    sendRate: whole('SEND_RATE', read('SEND_RATE'), undefined, 1, 100_000),
    sendConnections: whole('SEND_CONNECTIONS', read('SEND_CONNECTIONS'), 8, 1, 200),
    sendPerDomain: whole('SEND_PER_DOMAIN', read('SEND_PER_DOMAIN'), 10, 1, 200),
    sendTimeoutSeconds: whole('SEND_TIMEOUT_SECONDS', read('SEND_TIMEOUT_SECONDS'), 60, 2, 600),
    sendRetryHours: whole('SEND_RETRY_HOURS', read('SEND_RETRY_HOURS'), 24, 1, 240),
    pause: {
      leastMessages: whole('PAUSE_LEAST_MESSAGES', read('PAUSE_LEAST_MESSAGES'), 1000, 1, 1_000_000_000),
      complaintRate: share('PAUSE_COMPLAINT_RATE', read('PAUSE_COMPLAINT_RATE'), 0.003),
      bounceRate: share('PAUSE_BOUNCE_RATE', read('PAUSE_BOUNCE_RATE'), 0.1),
    },
    inboundSmtpPort: whole('INBOUND_SMTP_PORT', read('INBOUND_SMTP_PORT'), undefined, 0, 65_535),
    role: word('ROLE', read('ROLE'), 'all' as const, roles),
    logLevel: word('LOG_LEVEL', read('LOG_LEVEL'), 'info' as const, logLevels),
    logFormat: word('LOG_FORMAT', read('LOG_FORMAT'), undefined, logFormats),
    demo: flag('DEMO', read('DEMO'), databaseUrl === undefined && isLoopback),
    transactionRetentionDays: whole('TRANSACTION_RETENTION_DAYS', read('TRANSACTION_RETENTION_DAYS'), 30, 1, 3650),
    eventRetentionDays: whole('EVENT_RETENTION_DAYS', read('EVENT_RETENTION_DAYS'), undefined, 1, 36_500),
    emailHistoryLimit: whole('EMAIL_HISTORY_LIMIT', read('EMAIL_HISTORY_LIMIT'), 100, 1, 10_000),
    outboxRetentionDays: whole('OUTBOX_RETENTION_DAYS', read('OUTBOX_RETENTION_DAYS'), 30, 1, 3650),
    versionTextRetentionDays: whole(
      'VERSION_TEXT_RETENTION_DAYS',
      read('VERSION_TEXT_RETENTION_DAYS'),
      undefined,
      1,
      36_500,
    ),
    activityRetentionDays: whole('ACTIVITY_RETENTION_DAYS', read('ACTIVITY_RETENTION_DAYS'), 365, 1, 36_500),
    ingestLogRetentionDays: whole('INGEST_LOG_RETENTION_DAYS', read('INGEST_LOG_RETENTION_DAYS'), 30, 1, 3650),
    webhookRetentionDays: whole('WEBHOOK_RETENTION_DAYS', read('WEBHOOK_RETENTION_DAYS'), 30, 1, 3650),
    webhookAllowPrivate: flag('WEBHOOK_ALLOW_PRIVATE', read('WEBHOOK_ALLOW_PRIVATE'), false),
    rollupLimit: whole('ROLLUP_LIMIT', read('ROLLUP_LIMIT'), 500, 1, 100_000),
    forms: {
      perNetwork: whole('FORM_POSTS_PER_NETWORK', read('FORM_POSTS_PER_NETWORK'), 30, 1, 1_000_000),
      perForm: whole('FORM_POSTS_PER_FORM', read('FORM_POSTS_PER_FORM'), 600, 1, 1_000_000),
      perAddress: whole('FORM_POSTS_PER_ADDRESS', read('FORM_POSTS_PER_ADDRESS'), 5, 1, 1_000_000),
    },
    trustedProxies: networks('TRUSTED_PROXIES', read('TRUSTED_PROXIES')),
    tracing: isTraced(read),
    outside: outsideIssuer(read),
    path: read('PATH') ?? '',
  };
}

// 32 bytes are longer in any encoding, so one rule is enough for bytes and passphrases.
const leastKey = 16;

function secretKeys(newest: string | undefined, old: string | undefined): Pick<Config, 'secretKey' | 'secretKeysOld'> {
  const form = `32 bytes as hex or base64, or a passphrase of at least ${leastKey} characters without commas`;
  if (newest !== undefined && (newest.length < leastKey || newest.includes(','))) throw wrong('SECRET_KEY', form);
  const secretKeysOld = listOf(old);
  if (secretKeysOld.some((key) => key.length < leastKey))
    throw wrong('SECRET_KEY_OLD', `keys with commas between, each ${form}`);
  return { secretKey: newest, secretKeysOld };
}
