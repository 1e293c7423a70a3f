// The journeys of the proof, and what each contact must have gone through in the end: once as a definition, once as plain lists.

/** By the number of a contact modulo 4. Half of each kind enter by their own event, the others by a run over a list. */
const plans = ['pro', 'team', 'free', 'none'];
const never = 'P30D';

/** @param {number} n */
export const planOf = (n) => /** @type {string} */ (plans[n % plans.length]);
/** @param {number} n */
export const entersByEvent = (n) => Math.floor(n / plans.length) % 2 === 0;
/** @param {number} n */
export const addressOf = (n) => `p${n}@mail${n % 4}.example.com`;

/** A second journey that contacts of one kind are started in and taken out of. Otherwise they would stay longer than any proof takes. */
export const sideDefinition = {
  entry: { api: true },
  steps: [{ id: 'stay', type: 'delay', for: never }],
  reentry: 'always',
};

/**
 * A contact that waits for an order or a payment would wait longer than any proof takes: without the customers, none gets through.
 * Every contact may enter again at any time, so that one that enters twice for one piece of news shows.
 * @param {Record<string, unknown>} entry
 * @param {{ emailIds: string[], staticListId: string, sideId: string, topicId?: string | undefined }} things `topicId`: unless an older build takes
 *   part, which knows none.
 */
export function definitionOf(entry, { emailIds: [first, second], staticListId, sideId, topicId }) {
  const isPlan = (/** @type {string} */ plan, /** @type {string} */ next) => ({
    filter: { property: 'plan', is: plan },
    next,
  });
  // The same order that it entered with; contacts from a run have none.
  const where = 'event' in entry ? { where: { eventProperty: 'order', is: { entry: 'order' } } } : {};
  const ordered = { event: { eventName: 'ordered', ...where }, next: 'second' };
  const steps = [
    {
      ...{ id: 'which', type: 'branch' },
      cases: [isPlan('pro', 'first'), isPlan('team', 'hello'), isPlan('free', 'mark')],
      otherwise: 'start',
    },
    { id: 'first', type: 'sendEmail', emailId: first },
    { id: 'order', type: 'waitUntil', branches: [ordered], timeout: never, onTimeout: 'lost' },
    { id: 'second', type: 'sendEmail', emailId: second },
    { id: 'bought', type: 'exit', reason: 'bought' },
    { id: 'hello', type: 'sendEmail', emailId: first },
    {
      ...{ id: 'short', type: 'waitUntil', timeout: 'PT2S', onTimeout: 'rest' },
      branches: [{ event: { eventName: 'never_sent' }, next: 'lost' }],
    },
    { id: 'rest', type: 'delay', for: 'PT1S', spread: 'PT1S', next: null },
    { id: 'mark', type: 'updateProperty', property: 'journey_mark', value: 'seen' },
    {
      ...{ id: 'pay', type: 'waitUntil', timeout: never, onTimeout: 'lost' },
      branches: [{ filter: { all: [paid, { property: 'journey_mark', is: 'seen' }] }, next: 'thanks' }],
    },
    { id: 'thanks', type: 'sendEmail', emailId: second, next: null },
    { id: 'start', type: 'startJourney', journeyId: sideId },
    { id: 'say', type: 'emitEvent', eventName: 'went_by' },
    { id: 'list', type: 'addToList', staticListId },
    ...(topicId ? [{ id: 'topic', type: 'setTopic', topicId, state: 'subscribed' }] : []),
    { id: 'leave', type: 'leaveJourney', journeyId: sideId },
    { id: 'by', type: 'exit', reason: 'by' },
    { id: 'lost', type: 'exit', reason: 'lost' },
  ];
  return { entry, steps, reentry: 'always' };
}
const paid = { property: 'paid', is: true };

/** What a contact visits, how it ends, and which steps send it a message. */
export const stories = /** @type {Record<string, { steps: string[], ended: string, messages: string[] }>} */ ({
  pro: {
    steps: ['which', 'first', 'order', 'second', 'bought'],
    ended: 'exited: bought',
    messages: ['first', 'second'],
  },
  team: { steps: ['which', 'hello', 'short', 'rest'], ended: 'completed', messages: ['hello'] },
  free: { steps: ['which', 'mark', 'pay', 'thanks'], ended: 'completed', messages: ['thanks'] },
  none: { steps: ['which', 'start', 'say', 'list', 'topic', 'leave', 'by'], ended: 'exited: by', messages: [] },
});
/** Of four contacts, one of each kind. */
export const messagesOfFour = Object.values(stories).reduce((sum, { messages }) => sum + messages.length, 0);
