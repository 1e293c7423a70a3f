// Whatever people, forms, programs and journeys say of topics in whatever order: states, log, counts and what leaves are as a simple model says.
import fc from 'fast-check';
import { it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { formTopics, people, topics, World } from '../../../test/consent-model/world.js';
import { noBounds } from '../../../test/forms.js';
import { runs } from '../../../test/runs.js';

const t = useApp({ work: true, forms: noBounds });

const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
const who = one(people);
const key = one(topics.map((topic) => topic.key));
const keys = fc.subarray(
  topics.map((topic) => topic.key),
  { minLength: 1 },
);
const state = one(['subscribed', 'unsubscribed'] as const);
const said = fc.tuple(who, key, state);

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('submit' as const), who, fc.nat(formTopics.length - 1)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('confirm' as const), fc.nat(5)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('page' as const), who, keys, fc.boolean()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('send' as const), who, key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('oneClick' as const), who, key, fc.boolean()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('put' as const), said) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('write' as const), said) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('import' as const), said) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('journey' as const), said) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('erase' as const), who) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function carryOut(world: World, told: Operation): Promise<void> {
  switch (told[0]) {
    case 'submit':
      return world.submit(told[1], told[2]);
    case 'confirm':
      return world.confirm(told[1]);
    case 'page':
      return world.page(told[1], told[2], told[3]);
    case 'send':
      return world.send(told[1], told[2]);
    case 'oneClick':
      return world.oneClick(told[1], told[2], told[3]);
    case 'erase':
      return world.erase(told[1]);
    default:
      return world[told[0]](...told[1]);
  }
}

it('is as the model says, after whatever was said in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 8, maxLength: 16 }), async (operations) => {
      const world = await World.make(t);
      for (const told of operations) {
        await carryOut(world, told);
        await world.compare();
      }
    }),
    { numRuns: runs(12), endOnFailure: true },
  );
});
