import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedIn } from './named-in.js';

const [one, two] = ['1'.repeat(24), '2'.repeat(24)];

describe('what a definition names', () => {
  it('is found with its place, whatever else is wrong', () => {
    const named = namedIn({
      entry: { audience: { dynamicListId: one }, schedule: 'never' },
      goal: {
        filter: { any: [{ all: [{ staticListId: two }, { topic: one }] }, { marketing: 'opened', emailId: two }] },
      },
      exitWhen: { topic: { topicId: two } },
      steps: [
        'no step',
        { type: 'sendEmail', emailId: one },
        { type: 'exit', emailId: two },
        { type: 'waitUntil', branches: [{ event: 'x' }, { filter: { dynamicListId: two } }] },
        { type: 'branch', cases: [{ filter: { none: [{ journeyId: one, state: 'entered' }] } }] },
        { type: 'startJourney', journeyId: two, next: 5 },
        { type: 'emitEvent', properties: { deep: { staticListId: one } } },
      ],
    });
    expect(named).toEqual({
      email: [
        { id: two, place: 'definition.goal.filter.any[1].emailId' },
        { id: one, place: 'definition.steps[1].emailId' },
      ],
      journey: [{ id: one, place: 'definition.steps[4].cases[0].filter.none[0].journeyId' }],
      triggerJourney: [{ id: two, place: 'definition.steps[5].journeyId' }],
      form: [],
      topic: [
        { id: two, place: 'definition.exitWhen.topic.topicId' },
        { id: one, place: 'definition.goal.filter.any[0].all[1].topic' },
      ],
      staticList: [{ id: two, place: 'definition.goal.filter.any[0].all[0].staticListId' }],
      dynamicList: [
        { id: one, place: 'definition.entry.audience.dynamicListId' },
        { id: two, place: 'definition.steps[3].branches[1].filter.dynamicListId' },
      ],
    });
  });

  it('is looked for in anything that was sent', () => {
    const keys = fc.constantFrom('entry', 'steps', 'goal', 'filter', 'cases', 'type', 'emailId', 'staticListId', 'all');
    const words = fc.constantFrom('sendEmail', 'startJourney', one);
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ maxDepth: 8 }, words, fc.jsonValue(), fc.array(tie('json')), fc.dictionary(keys, tie('json'))),
    }));
    fc.assert(
      fc.property(json, (sent) => {
        const places = Object.values(namedIn(sent)).flat();
        expect(places.filter(({ id, place }) => typeof id !== 'string' || !place.startsWith('definition.'))).toEqual(
          [],
        );
      }),
    );
    expect(namedIn(null)).toEqual({
      ...{ email: [], journey: [], triggerJourney: [], topic: [], form: [], staticList: [], dynamicList: [] },
    });
  });
});
