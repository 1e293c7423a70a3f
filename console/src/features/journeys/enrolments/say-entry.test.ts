import type { TimelineFact } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { messagesOf, tellDetail, withoutEchoes } from './say-entry.ts';

const list = '019a8b2c4d5e6f708192a3d1';
const say = (fact: TimelineFact) => tellDetail({ fact }, (id) => (id === list ? 'Newsletter' : undefined));
const until = Date.parse('2026-11-17T09:30:00.000Z');

describe('a line of a timeline', () => {
  it.each<[TimelineFact, string[]]>([
    [{ code: 'caseTaken', place: 1, of: 2, filter: '“plan” is “pro”.' }, ['“plan” is “pro”.']],
    [{ code: 'filterTaken', place: 1, of: 2, filter: 'the plan is “pro”.' }, ['The plan is “pro”.']],
    [{ code: 'eventTaken', place: 2, of: 3, eventName: 'paid' }, ['Did “paid”.']],
    [{ code: 'noCase' }, ['No condition was met, so they took the other path.']],
    [{ code: 'timedOut', timeout: 'P5D' }, ['Timed out after 5 days.']],
    [{ code: 'armTaken', arm: 'B', bucket: 58 }, ['Assigned to arm B at random.']],
    [{ code: 'armWon', arm: 'with "quotes"', isSignificant: true }, ['Went to arm with "quotes", which won the test.']],
    [
      { code: 'armWon', arm: 'B', isSignificant: false },
      ['Went to arm B, which did better in the test, though the difference may be chance.'],
    ],
    [{ code: 'ended', reason: 'goal' }, ['Reached the goal.']],
    [{ code: 'ended', reason: 'bought something' }, ['bought something']],
    [{ code: 'ended', reason: 'constructor' }, ['constructor']],
    [{ code: 'ended', reason: 'error', why: 'It failed.' }, ['Something went wrong.', ' It failed.']],
    [{ code: 'queued' }, []],
    [{ code: 'givenUp', why: 'no answer' }, ['Gave up: ', 'no answer']],
    [{ code: 'listAdded', staticListId: list }, ['Added to ', 'Newsletter', '.']],
    [{ code: 'journeyStarted', journeyId: 'gone' }, ['Started the journey ', 'gone', '.']],
  ])('says %j in people’s words', (fact, told) => {
    expect(say(fact)).toEqual(told);
  });

  it('leaves moments to be shown as such', () => {
    const moment = { moment: '2026-11-17T09:30:00.000Z' };
    expect(say({ code: 'waits', until, atMost: true })).toEqual(['Started a wait until ', moment, ' at most', '.']);
    expect(say({ code: 'waits', until: 9e15 })).toEqual(['Started a wait until ', 'a time beyond all clocks', '.']);
  });

  it('is shown as the API tells it where the fact is missing or not known here', () => {
    expect(tellDetail({ detail: 'Case 1 of 2: it is so.' }, () => undefined)).toEqual(['Case 1 of 2: it is so.']);
    const fact = { code: 'newer' } as unknown as TimelineFact;
    expect(tellDetail({ detail: 'Something new.', fact }, () => undefined)).toEqual(['Something new.']);
    expect(tellDetail({}, () => undefined)).toEqual([]);
  });
});

it('tells a step and what it did once', () => {
  const facts = [
    { what: 'entered' },
    { what: 'step', stepId: 'wait' },
    { what: 'waiting', stepId: 'wait', detail: 'Started a wait until …' },
    { what: 'step', stepId: 'hook' },
    { what: 'step', stepId: 'again' },
    { what: 'step', stepId: 'late', detail: 'No date in “birthday”: continued right away.' },
    { what: 'message', stepId: 'late' },
    { what: 'step', stepId: 'out' },
    { what: 'exited', stepId: 'out' },
  ];
  expect(withoutEchoes(facts).map(({ what, stepId }) => [what, stepId])).toEqual([
    ['entered', undefined],
    ['waiting', 'wait'],
    ['step', 'hook'],
    ['step', 'again'],
    ['step', 'late'],
    ['message', 'late'],
    ['exited', 'out'],
  ]);
});

it('finds the message of each line, also of a step that was come to twice', () => {
  const facts = [
    { what: 'message', stepId: 'mail' },
    { what: 'waiting', stepId: 'wait' },
    { what: 'message', stepId: 'mail' },
    { what: 'message', stepId: 'last' },
  ];
  const messages = [
    { messageId: 'newer', stepId: 'mail', queuedAt: '2026-11-16T00:00:00.000Z' },
    { messageId: 'older', stepId: 'mail', queuedAt: '2026-11-15T00:00:00.000Z' },
    { messageId: 'by hand', stepId: null, queuedAt: '2026-11-15T00:00:00.000Z' },
  ];
  expect([...messagesOf(facts, messages)]).toEqual([
    [2, 'newer'],
    [0, 'older'],
  ]);
});
