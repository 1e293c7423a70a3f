// What a broadcast was asked to be, and the journey that does it. Pure.
import type { BodyValue, createBroadcast } from '@rapport/contract';
import { localTimePattern } from '@rapport/contract';
import { invalid } from '../../../http/api-error.js';
import { instantOf, parseInstant } from '../../../lib/instant.js';
import type { Json } from '../queries.js';

type Asked = BodyValue<typeof createBroadcast>;

/** `filter` with the list that was made from it. */
export type Audience =
  | { staticListId: string }
  | { dynamicListId: string }
  | { filter: Record<string, unknown>; dynamicListId: string };

type When = { kind: 'now' } | { kind: 'at' | 'localTime'; at: string };

type AbTest = NonNullable<Asked['abTest']>;

export interface Settings {
  emailId: string | null;
  audience: Audience | null;
  when: When;
  /** Absent: none. */
  abTest?: AbTest;
  /** The list that was made from a filter, while another audience is chosen: a filter that comes back takes it again. */
  ownListId?: string;
}

const hourMs = 3_600_000;
/** No clock is further ahead of UTC, and none further behind. */
const mostAhead = 14 * hourMs;
const mostBehind = 12 * hourMs;
/** Of a draft: whatever its time is, it is ahead. */
export const longAgo = '1970-01-01T00:00:00.000Z';
const localTime = new RegExp(localTimePattern);

/** A 400 says what is wrong with it. */
export function readWhen({ kind, at }: NonNullable<Asked['when']>): When {
  if (kind === 'now') {
    if (at !== undefined) throw invalid('when.at', 'is not for kind: now');
    return { kind };
  }
  if (at === undefined) throw invalid('when.at', `is required with kind: ${kind}`);
  if (kind === 'at') {
    const moment = parseInstant(at);
    if (moment === undefined) throw invalid('when.at', 'is not a time, such as 2026-11-20T09:00:00Z');
    return { kind, at: moment };
  }
  const local = localTime.test(at) ? Date.parse(`${at}Z`) : Number.NaN;
  if (Number.isNaN(local) || !instantOf(local).startsWith(at))
    throw invalid('when.at', 'is not a date and time without a zone, such as 2026-11-20T09:00');
  return { kind, at };
}

/** Which of the three an audience names; a 400 if it is not exactly one. */
export function readAudience(audience: NonNullable<Asked['audience']>): 'staticListId' | 'dynamicListId' | 'filter' {
  const named = (['staticListId', 'dynamicListId', 'filter'] as const).filter((key) => audience[key] !== undefined);
  const [only] = named;
  if (named.length !== 1 || only === undefined)
    throw invalid('audience', 'must have exactly one of staticListId, dynamicListId and filter');
  return only;
}

/** Nothing: no filter was ever chosen. */
export function ownListOf({ audience, ownListId }: Settings): string | undefined {
  return audience && 'filter' in audience ? audience.dynamicListId : ownListId;
}

/** A 400 says what has to be chosen first. */
export function refuseIncomplete({ emailId, audience, when }: Settings, now: string): void {
  if (emailId === null) throw invalid('emailId', 'is required before it can be sent: choose an email');
  if (audience === null) throw invalid('audience', 'is required before it can be sent: choose who gets it');
  refusePassed(when, now);
}

function refusePassed(when: When, now: string): void {
  if (when.kind === 'now') return;
  const last = when.kind === 'at' ? Date.parse(when.at) : Date.parse(`${when.at}Z`) + mostBehind;
  if (last > Date.parse(now)) return;
  const where = when.kind === 'at' ? '' : ' everywhere';
  throw invalid('when.at', `has passed${where}: choose a later time, or send it now`);
}

/** A 400: they do not go together. */
export function refuseUnfit({ emailId, when, abTest }: Settings): void {
  if (!abTest) return;
  if (abTest.emailId === emailId) throw invalid('abTest.emailId', 'is the email that it is compared with');
  if (when.kind === 'localTime')
    throw invalid('abTest', 'is not for kind: localTime, where people get it over more than a day');
}

/** The batch journey that sends it, if it begins no earlier than now. Null: it is not complete. */
export function definitionOf({ emailId, audience, when, abTest }: Settings, now: string): Json | null {
  if (emailId === null || audience === null) return null;
  const at = beginsAt(when, now);
  return {
    entry: { audience: listOf(audience), ...(at === null ? {} : { schedule: { at } }) },
    steps: [
      ...(when.kind === 'localTime' ? [{ id: 'wait', type: 'delay', untilLocal: when.at }] : []),
      ...(abTest ? testSteps(emailId, abTest) : [{ id: 'send', type: 'sendEmail', emailId }]),
    ],
  };
}

// Minutes. A winner is known seconds after the hours have passed.
const untilKnown = 5;

/**
 * Participants reach the split `ab` at once. The others reach it once it has a winner, and take that: within three times `after` one is
 * decided in any case, so `after` is a third of the hours. If there is none, because one email was not sent at all, they are divided as well.
 */
function testSteps(emailId: string, { emailId: other, percent, hours }: AbTest): Json[] {
  const isForAll = percent === 100;
  const winner = { by: 'clicked', after: `PT${hours * 20}M`, minimum: 1 };
  return [
    ...(isForAll
      ? []
      : [
          {
            ...{ id: 'part', type: 'split' },
            arms: [
              { name: 'test', percent, next: 'ab' },
              { name: 'rest', percent: 100 - percent, next: 'hold' },
            ],
          },
          { id: 'hold', type: 'delay', for: `PT${hours * 60 + untilKnown}M` },
        ]),
    {
      ...{ id: 'ab', type: 'split', winner },
      arms: [
        { name: 'A', percent: 50, next: 'send' },
        { name: 'B', percent: 50, next: 'send-b' },
      ],
    },
    { id: 'send', type: 'sendEmail', emailId, next: null },
    { id: 'send-b', type: 'sendEmail', emailId: other, next: null },
  ];
}

/** The same without an email: its reach can be computed anyway. */
export function definitionForReach(settings: Settings, now: string): Json | null {
  const { emailId, audience } = settings;
  // With a test it reaches the same people.
  const { abTest: _, ...plain } = settings;
  if (emailId !== null) return definitionOf(plain, now);
  return audience && { entry: { audience: listOf(audience) }, steps: [{ id: 'end', type: 'exit' }] };
}

function listOf(audience: Audience): { staticListId: string } | { dynamicListId: string } {
  return 'staticListId' in audience
    ? { staticListId: audience.staticListId }
    : { dynamicListId: audience.dynamicListId };
}

/** Null: at once. With local times, when the first clock on earth says so. */
function beginsAt(when: When, now: string): string | null {
  if (when.kind === 'now') return null;
  const first = when.kind === 'at' ? Date.parse(when.at) : Date.parse(`${when.at}Z`) - mostAhead;
  return first > Date.parse(now) ? instantOf(first) : null;
}
