// What is wrong, in sentences for people, worst first. Pure.
import type { AlertKind, Attention, AttentionKind, DataValue, listAlerts } from '@rapport/contract';
import type { Static } from 'typebox';
import { mostCounted, type Some } from '../../db/count-some.js';
import type { Rejections } from '../email-versions/index.js';
import type { DomainSummary } from '../sending/index.js';

type Item = Static<typeof Attention>;

export interface Troubles {
  /** Why mail waits, all but transactional mail, and since when. */
  pause: { reason: string; since: string } | undefined;
  /** Messages that a pause keeps from leaving. */
  held: Some;
  /** Figures of the last day. */
  mail: Mail;
  domains: DomainSummary;
  writes: Some;
  webhooks: Some;
  journeys: Some;
  versions: Rejections;
  calls: Some;
  /** Those that are open, oldest first. */
  alerts: readonly DataValue<typeof listAlerts>[];
}

interface Mail {
  sent: number;
  bounced: number;
}

export function tellAttention(troubles: Troubles): Item[] {
  return [
    pauseOf(troubles),
    domainsOf(troubles.domains),
    item(
      'writesWaiting',
      troubles.writes,
      (many, s) => `${many} ${s('write')} ${s('has', 'have')} been waiting for more than a minute.`,
    ),
    alertsOf(troubles, 'complaints', (many) => `${many} alerts because mail is being reported as spam.`),
    bouncesOf(troubles.mail),
    item(
      'webhooksFailing',
      troubles.webhooks,
      (many, s) =>
        `${many} ${s('webhook')} ${s('is', 'are')} failing. Deliveries are paused until you resume ${s('it', 'them')}.`,
      '/v2/webhooks',
    ),
    alertsOf(
      troubles,
      'journeyStopped',
      (many) => `No one has entered ${many} journeys in 24 hours, though people used to enter them daily.`,
    ),
    item(
      'journeyFaults',
      troubles.journeys,
      (many, s) => `${many} ${s('contact')} exited a journey in the last 24 hours because a step failed.`,
      '/v2/journeys',
    ),
    alertsOf(troubles, 'listHalved', (many) => `${many} lists lost more than half of their members within two days.`),
    item(
      'versionsRejected',
      troubles.versions,
      (many, s) => `${many} personalized email ${s('version')} ${s('was', 'were')} rejected in the last 24 hours.`,
      rejectionsAt(troubles.versions),
    ),
    item(
      'ingestRefused',
      troubles.calls,
      (many, s) => `${many} Segment ${s('call')} ${s('was', 'were')} rejected in the last 24 hours.`,
      '/v2/ingest-log',
    ),
  ].filter((each) => each !== undefined);
}

/** Picks the form of a word: `s('write')`, `s('has', 'have')`. */
type Form = (one: string, several?: string) => string;

function item(
  kind: AttentionKind,
  { count, since }: Some,
  say: (many: string, s: Form) => string,
  link: string | null = null,
): Item | undefined {
  if (count === 0) return undefined;
  const text = say(manyOf(count), (one, several = `${one}s`) => (count === 1 ? one : several));
  return { kind, count, rate: null, since, text, link };
}

function manyOf(count: number): string {
  return count >= mostCounted ? `${count.toLocaleString('en')} or more` : String(count);
}

function pauseOf({ pause, held }: Troubles): Item | undefined {
  if (!pause) return undefined;
  const waits =
    held.count === 0
      ? 'No messages are waiting.'
      : `${manyOf(held.count)} ${held.count === 1 ? 'message is waiting' : 'messages are waiting'}.`;
  const text = `Sending is paused, except for transactional email: ${pause.reason} ${waits}`;
  return { kind: 'mailPaused', count: held.count, rate: null, since: pause.since, text, link: '/v2/sending' };
}

function domainsOf({ unverified: count, example, since }: DomainSummary): Item | undefined {
  const link = '/v2/workspace/sending-domains';
  return item(
    'domainProblems',
    { count, since },
    (many) =>
      count === 1
        ? `The sending domain ${example} is not verified. Publish its DNS records, then check it.`
        : `${many} sending domains are not verified. Publish their DNS records, then check them.`,
    link,
  );
}

function bouncesOf({ bounced, sent }: Mail): Item | undefined {
  if (bounced <= 0) return undefined;
  // A bounce may come long after its message, so there can be more bounces than messages.
  const rate = sent === 0 ? 1 : Math.min(1, bounced / sent);
  const share = sent === 0 ? '' : `, ${Number((rate * 100).toFixed(1))}% of sent`;
  const messages = bounced === 1 ? 'message' : 'messages';
  const text = `${bounced.toLocaleString('en')} ${messages} bounced in the last 24 hours${share}.`;
  return { kind: 'bounces', count: bounced, rate, since: null, text, link: '/v2/messages?state=bounced' };
}

/** One says what it is; several of a kind are one item. Of bounces there is always one, from the first on. */
function alertsOf(
  { alerts }: Troubles,
  kind: Exclude<AlertKind, 'bounces'>,
  say: (many: string) => string,
): Item | undefined {
  const own = alerts.filter((alert) => alert.kind === kind);
  const [first] = own;
  if (!first) return undefined;
  const count = own.length;
  const { text, link } = count === 1 ? first : { text: say(manyOf(count)), link: '/v2/alerts?state=open' };
  return { kind, count, rate: null, since: first.openedAt, text, link };
}

function rejectionsAt({ assetId }: Rejections): string | null {
  return assetId === null ? null : `/v2/emails/${assetId}/activity?outcome=rejected`;
}
