import { describe, expect, it } from 'vitest';
import { messagesOf, tellDetail, withoutEchoes } from './say-entry.ts';

const list = '019a8b2c4d5e6f708192a3d1';
const say = (detail: string) => tellDetail(detail, (id) => (id === list ? 'Newsletter' : undefined));

describe('a line of a timeline', () => {
  it.each([
    ['Case 1 of 2: "plan" is "pro".', ['"plan" is "pro".']],
    ['Branch 2 of 3: the event "paid" came.', ['The event "paid" came.']],
    ['No case holds: otherwise.', ['No condition was met, so they went on the other way.']],
    ['Nothing came within P5D: timeout.', ['Nothing happened within 5 days.']],
    ['Arm "B" (bucket 58 of 100).', ['Went to arm B, by chance.']],
    ['Arm "with \\"quotes\\"", which won.', ['Went to arm with "quotes", which won the test.']],
    [
      'Arm "B", which won, though the difference was not significant.',
      ['Went to arm B, which did better in the test, though it may be by chance.'],
    ],
    ['Reason: goal.', ['Reached the goal.']],
    ['Reason: bought something.', ['bought something']],
    ['Queued.', []],
    [`Added to ${list}.`, ['Added to Newsletter.']],
    ['Something new.', ['Something new.']],
  ])('says %j in people’s words', (detail, told) => {
    expect(say(detail)).toEqual(told);
  });

  it('leaves moments to be shown as such', () => {
    expect(say('Waits until 2026-11-17T09:30:00.000Z at most.')).toEqual([
      'Waits until ',
      { moment: '2026-11-17T09:30:00.000Z' },
      ' at most.',
    ]);
  });
});

it('tells a step and what it did once', () => {
  const facts = [
    { what: 'entered' },
    { what: 'step', stepId: 'wait' },
    { what: 'waiting', stepId: 'wait', detail: 'Waits until …' },
    { what: 'step', stepId: 'hook' },
    { what: 'step', stepId: 'again' },
    { what: 'step', stepId: 'late', detail: 'No time in "birthday": goes on at once.' },
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

// Texts that people write stand in these sentences: a value of a condition, the reason of an exit.
it.each([
  ['Case 1 of 1: the property due is 2026-13-45T99:99:99Z.', 'The property due is 2026-13-45T99:99:99Z.'],
  ['Reason: constructor.', 'constructor'],
  ['Arm "\\q" (bucket 3 of 100).', 'Arm "\\q" (bucket 3 of 100).'],
])('shows %s as it is, where it only looks like something that is known', (detail, told) => {
  expect(tellDetail(detail, () => undefined).join('')).toBe(told);
});
