// Valid definitions of trigger journeys, and what happens to a contact on the way.
import fc from 'fast-check';
import type { SentDefinition, SentStep, Story } from './story.js';

const start = Date.parse('2026-11-16T08:00:00.000Z');
const hour = 3_600_000;
const id = (digit: string) => digit.repeat(24);
const filter = fc.constant({ property: 'plan', is: 'pro' });
const names = fc.constantFrom('paid', 'opened');
const duration = fc.constantFrom('PT1S', 'PT30M', 'PT1H', 'PT6H', 'P1D', 'P2D');

/** Where a step leads: anywhere from a wait, only forward from the others, so that every cycle contains a wait. */
const onward = (i: number, count: number, isWait: boolean) =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.integer({ min: isWait ? 0 : i + 1, max: count }) },
      { weight: 1, arbitrary: fc.constant(count) },
    )
    .map((to): string | null => (to >= count ? null : `s${to}`));

function stepAt(i: number, count: number): fc.Arbitrary<SentStep> {
  const at = (type: string, next: boolean, keys: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record({ id: fc.constant(`s${i}`), type: fc.constant(type), ...(next ? { next: to(false) } : {}), ...keys });
  const to = (isWait: boolean) => onward(i, count, isWait);
  const delay = (keys: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record({ id: fc.constant(`s${i}`), type: fc.constant('delay'), next: to(true), ...keys });
  const where = fc.constant({ eventProperty: 'order', is: { entry: 'order' } });
  const branch = fc.oneof(
    fc.record({ filter, next: to(true) }),
    fc.record({ event: fc.record({ eventName: names, where }, { requiredKeys: ['eventName'] }), next: to(true) }),
  );
  const any = fc.oneof(
    at('sendEmail', true, { emailId: fc.constant(id('a')), transactional: fc.boolean() }),
    delay({ for: duration }),
    delay({ for: duration, spread: duration }),
    delay({
      untilTime: fc.constantFrom('00:00', '08:00', '09:30'),
      days: fc.constantFrom([1], [2, 5], [1, 2, 3, 4, 5, 6, 7]),
    }),
    delay({ untilProperty: fc.constantFrom('soon', 'past', 'nothing'), offset: fc.constantFrom('PT1H', '-PT1H') }),
    fc.record({
      id: fc.constant(`s${i}`),
      type: fc.constant('waitUntil'),
      branches: fc.array(branch, { minLength: 1, maxLength: 3 }),
      timeout: duration,
      onTimeout: to(true),
    }),
    at('branch', false, {
      cases: fc.array(fc.record({ filter, next: to(false) }), { minLength: 1, maxLength: 3 }),
      otherwise: to(false),
    }),
    fc.tuple(fc.integer({ min: 0, max: 100 }), to(false), to(false)).map(([percent, one, other]) => ({
      id: `s${i}`,
      type: 'split',
      arms: [
        { name: 'a', percent, next: one },
        { name: 'b', percent: 100 - percent, next: other },
      ],
    })),
    at('updateProperty', true, {
      property: fc.constant('plan'),
      value: fc.oneof(fc.constantFrom('pro', 3, true), fc.constantFrom({ entry: 'order' }, { entry: 'gone' })),
    }),
    at('addToList', true, { staticListId: fc.constant(id('b')) }),
    at('setTopic', true, { topicId: fc.constant(id('f')), state: fc.constantFrom('subscribed', 'unsubscribed') }),
    at('webhook', true, { url: fc.constant('https://example.com/hook'), onError: to(false) }),
    at('emitEvent', true, { eventName: fc.constant('told') }),
    at('startJourney', true, { journeyId: fc.constant(id('c')) }),
    at('leaveJourney', true, { journeyId: fc.constant(id('c')) }),
    fc.record({ id: fc.constant(`s${i}`), type: fc.constant('exit'), reason: fc.constant('enough') }),
  );
  return any.map((step) => sent<SentStep>(step));
}

/** As it arrives. */
function sent<Thing>(value: unknown): Thing {
  return JSON.parse(JSON.stringify(value));
}

/** The ids that a step leads to. */
function exitsOf(step: SentStep): (string | null)[] {
  const inner = [...(step.branches ?? []), ...(step.cases ?? []), ...(step.arms ?? [])].map((one) => one.next ?? null);
  const own = [step.next, step.otherwise, step.onTimeout, step.onError];
  return [...inner, ...own.filter((one) => one !== undefined)];
}

/** Leaves out unreachable steps, and every `next` that only repeats the default. */
function tidy(steps: readonly SentStep[]): SentStep[] {
  const reached = new Set(['s0']);
  for (const known of reached) {
    const step = steps.find((one) => one.id === known);
    for (const exit of step ? exitsOf(step) : []) if (exit !== null) reached.add(exit);
  }
  const kept = steps.filter((step) => reached.has(step.id));
  return kept.map((step, i) => {
    const { next, ...others } = step;
    return next !== undefined && next === (kept[i + 1]?.id ?? null) ? others : step;
  });
}

const steps = fc
  .integer({ min: 1, max: 8 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => stepAt(i, count))))
  .map(tidy);

export const definition: fc.Arbitrary<SentDefinition> = fc
  .record(
    {
      entry: fc.constant({ event: { eventName: 'ordered' } }),
      steps,
      exitWhen: filter,
      goal: fc.record({ filter, exit: fc.boolean() }),
      window: fc.record({
        days: fc.constantFrom([1, 2, 3, 4, 5], [6, 7], [1, 2, 3, 4, 5, 6, 7]),
        from: fc.constantFrom('09:00', '22:00', '00:00'),
        to: fc.constantFrom('18:00', '06:00', '10:30'),
        timeZone: fc.constantFrom('contact', 'UTC'),
      }),
      holdout: fc.constantFrom(0, 50),
    },
    { requiredKeys: ['entry', 'steps'] },
  )
  .map((json) => sent<SentDefinition>(json));

function placesOf(json: SentDefinition): string[] {
  return [
    'definition.goal.filter',
    'definition.exitWhen',
    ...json.steps.flatMap((step, i) => [
      ...(step.cases ?? []).map((_, n) => `definition.steps[${i}].cases[${n}].filter`),
      ...(step.branches ?? []).map((_, n) => `definition.steps[${i}].branches[${n}].filter`),
    ]),
  ];
}

// Round times, so that several things often happen at once.
const moment = fc.oneof(
  fc.integer({ min: 0, max: 96 }).map((half) => start + (half * hour) / 2),
  fc.integer({ min: 0, max: 4 * 86_400 }).map((second) => start + second * 1000),
);

export function storyOf(json: SentDefinition): fc.Arbitrary<Story> {
  const changes = fc.uniqueArray(moment, { maxLength: 4 }).map((all) => all.sort((a, b) => a - b));
  // Few contacts reach the goal or exitWhen, or else most journeys would end before they begin.
  const late = fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, { weight: 1, arbitrary: changes });
  return fc.record({
    journeyId: fc.constant(id('d')),
    contactId: fc.integer({ min: 0, max: 1e6 }).map((n) => n.toString(16).padStart(32, '0')),
    enrolmentId: fc.constant('e'.repeat(32)),
    start: fc.constant(start),
    end: fc.constant(start + 10 * 24 * hour),
    mostVisits: fc.constant(60),
    properties: fc.constant({ soon: '2026-11-17T10:00:00Z', past: '2020-01-01', nothing: 'tomorrow' }),
    entry: fc.constantFrom({ order: 7 }, {}),
    events: fc
      .array(
        fc.record({
          at: moment,
          eventName: names,
          properties: fc.constantFrom<Record<string, unknown>>({ order: 7 }, { order: 8 }, {}),
        }),
        { maxLength: 8 },
      )
      .map((all) => all.sort((a, b) => a.at - b.at)),
    changes: fc.record(
      Object.fromEntries(placesOf(json).map((place, i) => [place, i < 2 ? late : changes])) as Record<
        string,
        fc.Arbitrary<number[]>
      >,
    ),
    latency: fc.constantFrom(0, 1000, hour / 2),
    answers: fc.boolean(),
    winners: fc.constantFrom<Record<string, string>>({}, { s0: 'a', s1: 'b', s2: 'a' }),
  });
}
