// Definitions of journeys, and what happens while contacts are in them.
import fc from 'fast-check';
import { Subjects } from '../../src/features/filter-language/index.js';
import { readDefinition } from '../../src/features/journeys/definition/read.js';
import type { SentDefinition, SentStep } from './story.js';

const seconds = fc.integer({ min: 1, max: 30 });
/** Milliseconds after the start: events happen at 1 ms past a second, filters change at 2 ms, so that no two happen at once. */
const momentsAt = (ms: number) =>
  fc.uniqueArray(
    seconds.map((s) => s * 1000 + ms),
    { maxLength: 4 },
  );

/** Each filter reads its own property, named after its place, whichever definition it is in. */
function stepArbitrary(index: number, count: number): fc.Arbitrary<SentStep> {
  const ids = Array.from({ length: count }, (_, i) => `s${i}`);
  const next = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<string | null>(...ids.slice(index + 1), null) },
    { weight: 1, arbitrary: fc.constantFrom<string | null>(...ids.slice(0, index + 1)) },
  );
  const base = { id: fc.constant(`s${index}`) };
  const place = `definition.steps[${index}]`;
  const filter = (path: string) => fc.constant({ property: keyOf(`${place}.${path}`), is: true });
  const duration = seconds.map((s) => `PT${s}S`);
  const event = fc.record({ eventName: fc.constantFrom('e0', 'e1') });
  const branch = (i: number) =>
    fc.oneof(fc.record({ event, next }), fc.record({ filter: filter(`branches[${i}].filter`), next }));
  const delay = fc.record({ ...base, type: fc.constant('delay'), for: duration, next });
  const wait = fc.record({
    ...base,
    type: fc.constant('waitUntil'),
    branches: fc.tuple(branch(0), branch(1)),
    timeout: duration,
    onTimeout: next,
  });
  const fork = fc.record({
    ...base,
    type: fc.constant('branch'),
    cases: fc.tuple(
      fc.record({ filter: filter('cases[0].filter'), next }),
      fc.record({ filter: filter('cases[1].filter'), next }),
    ),
    otherwise: next,
  });
  const write = fc.record({
    ...base,
    type: fc.constant('updateProperty'),
    property: fc.constant('w'),
    value: fc.constant(index),
    next,
  });
  const split = fc.record({
    ...base,
    type: fc.constant('split'),
    arms: fc.tuple(
      fc.record({ name: fc.constant('A'), percent: fc.constant(50), next }),
      fc.record({ name: fc.constant('B'), percent: fc.constant(50), next }),
    ),
  });
  const exit = fc.record({ ...base, type: fc.constant('exit'), reason: fc.constantFrom('a', 'b') });
  // Most steps wait, so that contacts are on their way when something happens to them.
  return fc.oneof(
    { weight: 3, arbitrary: delay },
    { weight: 5, arbitrary: wait },
    { weight: 1, arbitrary: fork },
    { weight: 1, arbitrary: write },
    { weight: 1, arbitrary: split },
    { weight: index === 0 ? 0 : 1, arbitrary: exit },
  ) as fc.Arbitrary<SentStep>;
}

/** The property that the filter at a place reads. */
export function keyOf(place: string): string {
  return place.replaceAll(/[^a-z0-9]+/gi, '_').toLowerCase();
}

function placesOf({ steps, exitWhen, goal }: SentDefinition): string[] {
  return [
    ...(exitWhen ? ['definition.exitWhen'] : []),
    ...(goal ? ['definition.goal.filter'] : []),
    ...steps.flatMap(({ cases = [], branches = [] }, i) => [
      ...cases.map((_, j) => `definition.steps[${i}].cases[${j}].filter`),
      ...branches.flatMap(({ filter }, j) => (filter ? [`definition.steps[${i}].branches[${j}].filter`] : [])),
    ]),
  ];
}

const watchedBy = (place: string) => fc.constant({ property: keyOf(place), is: true });
const definitionArbitrary: fc.Arbitrary<SentDefinition> = fc
  .integer({ min: 2, max: 6 })
  .chain((count) =>
    fc.record(
      {
        steps: fc.tuple(...Array.from({ length: count }, (_, i) => stepArbitrary(i, count))),
        exitWhen: watchedBy('definition.exitWhen'),
        goal: fc.record({ filter: watchedBy('definition.goal.filter'), exit: fc.boolean() }),
        holdout: fc.constant(50),
      },
      { requiredKeys: ['steps'] },
    ),
  )
  .filter((definition) => isReadable(definition));

/** Not every draw can be activated: one with an unreachable step, or with a cycle without a wait, is refused. */
function isReadable(definition: SentDefinition): boolean {
  try {
    readDefinition({ entry, ...definition }, 'trigger', new Subjects([]));
    return true;
  } catch {
    return false;
  }
}

export interface Tale {
  events: { at: number; eventName: string }[];
  changes: Record<string, number[]>;
}

function taleArbitrary(...definitions: SentDefinition[]): fc.Arbitrary<Tale> {
  const places = [...new Set(definitions.flatMap(placesOf))];
  const sorted = (moments: number[]) => [...moments].sort((a, b) => a - b);
  return fc.record({
    events: momentsAt(1).chain((moments) =>
      fc.tuple(
        ...sorted(moments).map((at) => fc.record({ at: fc.constant(at), eventName: fc.constantFrom('e0', 'e1') })),
      ),
    ),
    changes: fc.record(Object.fromEntries(places.map((place) => [place, momentsAt(2).map(sorted)]))) as fc.Arbitrary<
      Record<string, number[]>
    >,
  });
}

/** The interval in which it is paused, for two samples in three. */
const pauseArbitrary = fc.option(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 })).map(([from, length]) => ({
    from: from * 1000 + 3,
    to: (from + length) * 1000 + 4,
  })),
  { freq: 2 },
);

/** Another definition, or, more often, the same with other times, another goal and one different step. */
function editedArbitrary(definition: SentDefinition): fc.Arbitrary<SentDefinition> {
  const { steps } = definition;
  const lengths = fc.array(seconds, { minLength: steps.length, maxLength: steps.length });
  const similar = fc
    .tuple(definitionArbitrary, lengths, fc.integer({ min: -3, max: steps.length - 1 }))
    .map(([other, times, nth]) => ({
      ...other,
      steps: steps.map((step, i) => (i === nth ? (other.steps[i] ?? step) : retimed(step, times[i] ?? 1))),
    }))
    .filter((edited) => isReadable(edited));
  return fc.oneof({ weight: 1, arbitrary: definitionArbitrary }, { weight: 4, arbitrary: similar });
}

function retimed(step: SentStep, length: number): SentStep {
  const time = `PT${length}S`;
  return { ...step, ...(step.for ? { for: time } : {}), ...(step.timeout ? { timeout: time } : {}) };
}

/** When it is changed and to what, for two samples in three. */
const editArbitrary = (definition: SentDefinition) =>
  fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: 12 }).map((s) => s * 1000 + 6),
      inFlight: fc.constantFrom('finish', 'move', 'move'),
      definition: editedArbitrary(definition),
    }),
    { freq: 2 },
  );

export const day = 86_400_000;
/** Milliseconds after the start, or days before and after it. */
const boundArbitrary = fc.option(
  fc.oneof(
    // Things happen in the first milliseconds of a second.
    { weight: 3, arbitrary: fc.tuple(fc.nat(46), fc.nat(12)).map(([second, ms]) => second * 1000 + ms) },
    { weight: 1, arbitrary: fc.constantFrom(-3 * day, -5000, 3_700_000, 3 * day) },
  ),
  { freq: 4 },
);
const windowArbitrary = fc.record({ from: boundArbitrary, to: boundArbitrary });

const definedArbitrary = definitionArbitrary.chain((definition) =>
  fc.tuple(fc.constant(definition), editArbitrary(definition)),
);
export const sampleArbitrary = definedArbitrary.chain(([definition, edit]) =>
  fc.record({
    definition: fc.constant(definition),
    edit: fc.constant(edit),
    pause: pauseArbitrary,
    tales: fc.array(taleArbitrary(definition, ...(edit ? [edit.definition] : [])), { minLength: 1, maxLength: 3 }),
    workers: fc.integer({ min: 1, max: 3 }),
    atMost: fc.constantFrom(1, 2, full),
    beforeMidnight: fc.integer({ min: 0, max: 30_000 }),
    folded: fc.constantFrom(0, 2, 1000),
    ending: fc.constantFrom('stopped', 'erased', undefined),
    windows: fc.array(windowArbitrary, { minLength: 3, maxLength: 3 }),
  }),
);
/** A turn of this many enrolments writes properties itself, because nothing else waits in the queue. A narrower one leaves them to the queue. */
export const full = 2000;
export const entry = { event: { eventName: 'go' } };

export type Sample = typeof sampleArbitrary extends fc.Arbitrary<infer T> ? T : never;
