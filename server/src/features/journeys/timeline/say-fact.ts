// The words of timelines: the only place that makes them.
import type { TimelineEntry } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Fact, StoredFact, StoredLine } from './fact.js';

type Sayings = { readonly [Code in Fact['code']]: (fact: Extract<Fact, { code: Code }>) => string };

const sayings: Sayings = {
  eventCame: ({ eventName }) => `The event ${quoted(eventName)} came.`,
  joinedList: () => 'Joined the list.',
  leftList: () => 'Left the list.',
  propertyChanged: ({ property }) => `The property ${quoted(property)} changed.`,
  dateCame: ({ property }) => `The date of ${quoted(property)} came.`,
  inRun: ({ runId }) => `Run ${runId}.`,
  startedBy: ({ journeyId }) => `Started by the journey ${journeyId}.`,
  byHand: ({ by, via }) => `Enrolled${by === undefined ? '' : ` by ${by}`} ${ways[via]}.`,
  atBeginning: () => 'Enters at the beginning.',
  heldOut: () => 'In the holdout: gets no messages.',
  waits: ({ until, atMost }) => `Waits until ${instant(until)}${atMost ? ' at most' : ''}.`,
  rests: ({ until }) => `It came round in a circle without waiting anywhere: rests until ${instant(until)}.`,
  noTime: ({ property }) => `No time in ${quoted(property)}: goes on at once.`,
  timePassed: ({ time }) => `${instant(time)} has passed: goes on at once.`,
  caseTaken: ({ place, of, filter }) => `Case ${place} of ${of}: ${filter}`,
  noCase: () => 'No case holds: otherwise.',
  eventTaken: ({ place, of, eventName }) => `Branch ${place} of ${of}: the event ${quoted(eventName)} came.`,
  filterTaken: ({ place, of, filter }) => `Branch ${place} of ${of}: ${filter}`,
  timedOut: ({ timeout }) => `Nothing came within ${timeout}: timeout.`,
  armTaken: ({ arm, bucket }) => `Arm ${quoted(arm)} (bucket ${bucket} of 100).`,
  armWon: ({ arm, isSignificant }) =>
    `Arm ${quoted(arm)}, which won${isSignificant ? '' : ', though the difference was not significant'}.`,
  queued: ({ until }) =>
    until === undefined ? 'Queued.' : `Queued; leaves when the window opens at ${instant(until)}.`,
  notSent: ({ reason }) => `Not sent: ${reason === 'holdout' ? 'the contact is in the holdout' : reason}.`,
  called: ({ host }) => `Calls ${host}.`,
  answered: ({ status, hasJson }) => `Answered ${status}${hasJson ? '' : ' without JSON'}.`,
  givenUp: ({ why }) => `Given up: ${why}`,
  propertySet: ({ property, value }) =>
    value === null
      ? `Removes ${quoted(property)}.`
      : `Sets ${quoted(property)} to ${typeof value === 'string' ? quoted(value) : value}.`,
  noEntryValue: ({ property }) =>
    `The event that started the journey has no value for ${quoted(property)}: nothing is written.`,
  listAdded: ({ staticListId }) => `Added to ${staticListId}.`,
  listRemoved: ({ staticListId }) => `Removed from ${staticListId}.`,
  emitted: ({ eventName }) => `Emits the event ${quoted(eventName)}.`,
  journeyStarted: ({ journeyId }) => `Starts the journey ${journeyId}.`,
  journeyNotStarted: ({ journeyId, chain }) =>
    `The journey ${journeyId} was not started: ${
      chain === undefined ? 'it is not an active trigger journey' : `${chain} journeys have started one another already`
    }.`,
  writeRefused: ({ why }) => why,
  goalReached: ({ filter }) => filter,
  movedToVersion: () => 'Goes on with a new version of the journey.',
  ended: ({ reason, why }) => `Reason: ${reason}.${why === undefined ? '' : ` ${why}`}`,
};

const ways = { session: 'in the console', app: 'with a connected app', token: 'with a token' };

export function sayFact(fact: Fact): string {
  const words = (sayings[fact.code] as (one: Fact) => string)(fact);
  return 'isHoldout' in fact ? `${words} ${sayings.heldOut({ code: 'heldOut' })}` : words;
}

/** A stored line: in the words that it was stored with, or in those of its code. */
export function sayStored({ code, subjects, detail }: StoredFact): string | null {
  return detail !== null || code === null ? detail : sayFact({ code, ...subjects } as Fact);
}

/** A line as the API shows it: what it does not have is left out. */
export function sayLine({ at, what, stepId, ...fact }: StoredLine): Static<typeof TimelineEntry> {
  const detail = sayStored(fact);
  return { at, what, ...(stepId === null ? {} : { stepId }), ...(detail === null ? {} : { detail }) };
}

const quoted = (text: string) => JSON.stringify(text);

/** As the API writes times. Those that no clock shows have no such form. */
function instant(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : 'a time beyond all clocks';
}
