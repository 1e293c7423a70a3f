// What the timeline of an enrolment can say, once: each code with its subjects and its words. The server stores codes and subjects and makes the words
// when somebody reads them; the console makes the same words with names and local times in them. Needs no TypeBox.

import { type TopicState, topicStateWords } from './consent.js';
import { inQuotes } from './in-quotes.js';

/** A piece of a sentence: text, the id of a list, a topic, a form or a journey, or a moment in milliseconds since 1970. */
export type FactPart = string | { readonly id: string } | { readonly time: number };

function say(words: TemplateStringsArray, ...parts: (FactPart | number)[]): readonly FactPart[] {
  const text = (part: FactPart | number) => (typeof part === 'number' ? String(part) : part);
  return words.flatMap((word, i) => (i < parts.length ? [word, text(parts[i] ?? '')] : [word]));
}

const id = (of: string): FactPart => ({ id: of });
/** No clock shows the others. */
const time = (at: number): FactPart => (Math.abs(at) <= 8.64e15 ? { time: at } : 'a time beyond all clocks');
const ways = { session: 'in the console', app: 'with a connected app', token: 'with a token' };

/** Who did something to a contact in a journey, if that is known, and how. */
export interface Hand {
  readonly by?: string | undefined;
  readonly via: keyof typeof ways;
}
const hand = ({ by, via }: Hand) => `${by === undefined ? '' : ` by ${by}`} ${ways[via]}`;

/** What made a contact enter. */
const causes = {
  eventCame: (of: { eventName: string }) => say`They did ${inQuotes(of.eventName)}.`,
  joinedList: () => say`They joined the list.`,
  leftList: () => say`They left the list.`,
  propertyChanged: (of: { property: string }) => say`The property ${inQuotes(of.property)} changed.`,
  topicBecame: (of: { topicId: string; state: TopicState }) =>
    say`They became ${topicStateWords[of.state]} ${id(of.topicId)}.`,
  formSent: (of: { formId: string }) => say`They submitted the form ${id(of.formId)}.`,
  dateCame: (of: { property: string }) => say`The date in ${inQuotes(of.property)} arrived.`,
  inRun: (of: { runId: string }) => say`They were in the audience of run ${of.runId}.`,
  startedBy: (of: { journeyId: string }) => say`They were enrolled by the journey ${id(of.journeyId)}.`,
  byHand: (of: Hand) => say`They were enrolled${hand(of)}.`,
  atBeginning: () => say`They entered at the start.`,
};

/** `filter` is a filter in the words that it had at that moment: the journey may be edited since. */
const facts = {
  waits: (of: { until: number; atMost?: true }) =>
    say`Started a wait until ${time(of.until)}${of.atMost ? ' at most' : ''}.`,
  rests: (of: { until: number }) => say`The steps loop without a wait: put on hold until ${time(of.until)}.`,
  noTime: (of: { property: string }) => say`No date in ${inQuotes(of.property)}: continued right away.`,
  timePassed: (of: { time: number }) => say`${time(of.time)} had passed: continued right away.`,
  caseTaken: (of: { place: number; of: number; filter: string }) => say`Case ${of.place} of ${of.of}: ${of.filter}`,
  noCase: () => say`No condition was met: took the other path.`,
  eventTaken: (of: { place: number; of: number; eventName: string }) =>
    say`Branch ${of.place} of ${of.of}: did ${inQuotes(of.eventName)}.`,
  filterTaken: (of: { place: number; of: number; filter: string }) => say`Branch ${of.place} of ${of.of}: ${of.filter}`,
  timedOut: (of: { timeout: string }) => say`Timed out after ${of.timeout}.`,
  armTaken: (of: { arm: string; bucket: number }) => say`Arm ${inQuotes(of.arm)} (bucket ${of.bucket} of 100).`,
  armWon: (of: { arm: string; isSignificant: boolean }) =>
    say`Arm ${inQuotes(of.arm)}, which won${of.isSignificant ? '' : ', though the difference was not significant'}.`,
  queued: (of: { until?: number }) =>
    of.until === undefined ? say`Queued.` : say`Queued to be sent when the sending window opens at ${time(of.until)}.`,
  notSent: (of: { reason: string }) =>
    say`Not sent: ${of.reason === 'holdout' ? 'they were in the holdout' : of.reason}.`,
  called: (of: { host: string }) => say`Called ${of.host}.`,
  answered: (of: { status: number; hasJson: boolean }) =>
    say`Answered ${of.status}${of.hasJson ? '' : ' without JSON'}.`,
  givenUp: (of: { why: string }) => say`Gave up: ${of.why}`,
  propertySet: (of: { property: string; value: string | number | boolean | null }) =>
    of.value === null
      ? say`Removed ${inQuotes(of.property)}.`
      : say`Set ${inQuotes(of.property)} to ${typeof of.value === 'string' ? inQuotes(of.value) : String(of.value)}.`,
  noEntryValue: (of: { property: string }) =>
    say`The event that started the journey has no value for ${inQuotes(of.property)}: nothing was changed.`,
  listAdded: (of: { staticListId: string }) => say`Added to ${id(of.staticListId)}.`,
  listRemoved: (of: { staticListId: string }) => say`Removed from ${id(of.staticListId)}.`,
  topicSet: (of: { topicId: string; state: 'subscribed' | 'unsubscribed' }) =>
    of.state === 'subscribed' ? say`Subscribed to ${id(of.topicId)}.` : say`Unsubscribed from ${id(of.topicId)}.`,
  /** It was said before. */
  topicSame: (of: { topicId: string; state: 'subscribed' | 'unsubscribed' }) =>
    say`Was already ${topicStateWords[of.state]} ${id(of.topicId)}.`,
  topicKept: (of: { topicId: string }) => say`Not subscribed to ${id(of.topicId)}: they unsubscribed on their own.`,
  emitted: (of: { eventName: string }) => say`Emitted the event ${inQuotes(of.eventName)}.`,
  journeyStarted: (of: { journeyId: string }) => say`Started the journey ${id(of.journeyId)}.`,
  /** `chain`: how many journeys had started one another. Absent: it is not an active trigger journey. */
  journeyNotStarted: (of: { journeyId: string; chain?: number }) =>
    say`The journey ${id(of.journeyId)} was not started: ${
      of.chain === undefined
        ? 'it is not an active trigger journey'
        : `${of.chain} journeys have already started each other`
    }.`,
  journeyLeft: (of: { journeyId: string }) => say`Took them out of the journey ${id(of.journeyId)}.`,
  notInJourney: (of: { journeyId: string }) => say`They were not in the journey ${id(of.journeyId)}.`,
  takenOutBy: (of: { journeyId: string }) => say`Taken out by the journey ${id(of.journeyId)}.`,
  takenOutByHand: (of: Hand) => say`Taken out${hand(of)}.`,
  waitSkipped: (of: Hand) => say`Moved past this wait${hand(of)}.`,
  writeRefused: (of: { why: string }) => say`${of.why}`,
  goalReached: (of: { filter: string }) => say`${of.filter}`,
  movedToVersion: () => say`Continued with a new version of the journey.`,
  ended: (of: { reason: string; why?: string }) =>
    say`Reason: ${of.reason}.${of.why === undefined ? '' : ` ${of.why}`}`,
};

type Told<Table extends Record<string, (of: never) => readonly FactPart[]>> = {
  [Code in keyof Table]: { readonly code: Code } & Readonly<
    Parameters<Table[Code]> extends [infer Subjects] ? Subjects : unknown
  >;
}[keyof Table];

export type EntryCause = Told<typeof causes>;
/** What a line of a timeline says. Times are milliseconds since 1970. */
export type TimelineFact = (EntryCause & { readonly isHoldout?: true }) | Told<typeof facts>;

const sayings = { ...causes, ...facts };

/** Undefined for a code that is not known here: the API knows its words. */
export function tellFact(fact: TimelineFact): readonly FactPart[] | undefined {
  if (!Object.hasOwn(sayings, fact.code)) return undefined;
  const parts = (sayings[fact.code] as (of: TimelineFact) => readonly FactPart[])(fact);
  return 'isHoldout' in fact ? [...parts, ' Assigned to the holdout group, which gets no messages.'] : parts;
}
