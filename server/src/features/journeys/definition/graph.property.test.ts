// Random graphs: the reader takes exactly those that a naive checker takes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultsOf, list, ordered, plan } from '../../../../test/journeys/definitions.js';
import type { SentStep } from '../../../../test/journeys/story.js';
import { runs } from '../../../../test/runs.js';

const ids = ['a', 'b', 'c', 'd', 'e'];
/** Absent, the end, a step, and now and then one that there is not. */
const next = (count: number) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 6, arbitrary: fc.constantFrom(...ids.slice(0, count)) },
    { weight: count > 3 ? 0 : 1, arbitrary: fc.constantFrom('e', 'x') },
  );

function stepOf(id: string, count: number): fc.Arbitrary<object> {
  const to = next(count);
  const rarely = <T>(usual: T, odd: T) =>
    fc.oneof({ weight: 15, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(odd) });
  return fc.oneof(
    fc.record({ id: fc.constant(id), type: fc.constant('delay'), for: fc.constant('PT1H'), next: to }),
    fc.record({ id: rarely(id, 'a'), type: fc.constant('addToList'), staticListId: fc.constant(list), next: to }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('waitUntil'),
      branches: fc.array(fc.record({ filter: fc.constant(plan), next: to }), { minLength: 1, maxLength: 2 }),
      timeout: rarely<string | undefined>('P1D', undefined),
      onTimeout: to,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('branch'),
      cases: fc.array(fc.record({ filter: fc.constant(plan), next: to }), { minLength: 1, maxLength: 2 }),
      otherwise: to,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('split'),
      arms: fc.tuple(rarely(40, 41), to, to).map(([percent, one, other]) => [
        { name: 'one', percent, next: one },
        { name: 'two', percent: 60, next: other },
      ]),
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('webhook'),
      url: fc.constant('https://example.com'),
      next: to,
      onError: to,
    }),
    fc.constant({ id, type: 'exit' }),
  );
}

const graph = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.tuple(...ids.slice(0, count).map((id) => stepOf(id, count))))
  // What is undefined is not in JSON.
  .map((steps): SentStep[] => JSON.parse(JSON.stringify(steps)));

/** All ways on from a step; undefined where one leads nowhere. */
function exits(steps: SentStep[], i: number): number[] | undefined {
  const step = steps[i] as SentStep;
  if (step.type === 'exit') return [];
  const named = [
    ...(step.type === 'branch' ? [step.otherwise] : []),
    ...(step.type === 'waitUntil' ? [step.onTimeout] : []),
    ...((step.cases ?? step.branches ?? step.arms) ? [] : [step.next]),
    ...[...(step.cases ?? []), ...(step.branches ?? []), ...(step.arms ?? [])].map((one) => one.next),
    ...('onError' in step ? [step.onError] : []),
  ];
  const found: number[] = [];
  for (const to of named) {
    if (to === null || (to === undefined && i + 1 === steps.length)) continue;
    const at = to === undefined ? i + 1 : steps.findIndex((other) => other.id === to);
    if (at < 0) return undefined;
    found.push(at);
  }
  return found;
}

function isFine(steps: SentStep[]): boolean {
  if (new Set(steps.map((step) => step.id)).size < steps.length) return false;
  if (steps.some((step) => step.type === 'waitUntil' && !step.timeout)) return false;
  if (steps.some((step) => step.arms && step.arms[0]?.percent !== 40)) return false;
  const ways = steps.map((_, i) => exits(steps, i));
  if (ways.includes(undefined)) return false;
  // Walks on from everywhere at once, as often as there are steps: a walk that is still going without a wait is in a circle.
  let walkers = steps.map((step) => step.type !== 'delay' && step.type !== 'waitUntil');
  const hasty = walkers;
  let reached = steps.map((_, i) => i === 0);
  for (const _ of steps) {
    const goOn = (from: boolean[]) => steps.map((_, i) => ways.some((way, at) => from[at] && way?.includes(i)));
    walkers = goOn(walkers).map((isThere, i) => isThere && hasty[i] === true);
    reached = goOn(reached).map((isThere, i) => isThere || reached[i] === true);
  }
  return !walkers.includes(true) && !reached.includes(false);
}

it('takes exactly the graphs that a naive checker takes', () => {
  const seen = { fine: 0, refused: 0 };
  fc.assert(
    fc.property(graph, (steps) => {
      const faults = faultsOf({ entry: ordered, steps });
      expect(faults.length === 0, faults.join('\n')).toBe(isFine(steps));
      seen[faults.length === 0 ? 'fine' : 'refused']++;
    }),
    { numRuns: runs(1500) },
  );
  expect(seen.fine).toBeGreaterThan(150);
  expect(seen.refused).toBeGreaterThan(150);
});

it('reads any JSON at all, or says what is wrong', () => {
  const word = fc.constantFrom(
    'entry',
    'steps',
    'id',
    'type',
    'next',
    'filter',
    'delay',
    'branch',
    'cases',
    'for',
    'PT1S',
    'a',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      word,
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const places = /^definition(?:[.[]|: )/;
  fc.assert(
    fc.property(fc.oneof(value, fc.record({ entry: value, steps: fc.array(value, { maxLength: 3 }) })), (json) => {
      for (const type of ['batch', 'trigger'] as const)
        for (const fault of faultsOf(json, type)) expect(fault).toMatch(places);
    }),
    { numRuns: runs(500) },
  );
});
