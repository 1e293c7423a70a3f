import { expect, it } from 'vitest';
import type { Definition } from '../model/definition.ts';
import { readDefinition } from '../model/read.ts';
import type { Names } from '../model/say.ts';
import { linesOf, tellDifference } from './tell-difference.ts';

const names: Names = {
  emails: new Map([
    ['e1', 'Welcome'],
    ['e2', 'Tips'],
  ]),
  lists: new Map(),
  topics: new Map(),
  forms: new Map(),
  journeys: new Map(),
};

function read(json: object): Definition {
  const result = readDefinition(json);
  if ('problem' in result) throw new Error(result.problem);
  return result.definition;
}

const first = read({
  entry: { event: { eventName: 'signed_up' } },
  steps: [
    { id: 'welcome', type: 'sendEmail', emailId: 'e1' },
    { id: 'wait', type: 'delay', for: 'P2D' },
    { id: 'done', type: 'exit' },
  ],
});

it('says nothing of two that are the same, whatever the order of their keys', () => {
  const other = read({
    steps: [
      { emailId: 'e1', type: 'sendEmail', id: 'welcome' },
      { for: 'P2D', id: 'wait', type: 'delay' },
      { type: 'exit', id: 'done' },
    ],
    entry: { event: { eventName: 'signed_up' } },
  });
  expect(tellDifference(first, other, names)).toEqual([]);
});

it('tells steps that came, went and changed, and where ways lead now', () => {
  const second = read({
    entry: { event: { eventName: 'signed_up' } },
    steps: [
      { id: 'welcome', type: 'sendEmail', emailId: 'e2' },
      { id: 'wait', type: 'delay', for: 'P3D', next: null },
      { id: 'tips', type: 'sendEmail', emailId: 'e2' },
    ],
  });
  expect(tellDifference(first, second, names)).toEqual([
    { kind: 'removed', text: 'Exit (done)', details: [] },
    { kind: 'changed', text: 'Send email, Tips (welcome)', details: ['Welcome → Tips'] },
    {
      kind: 'changed',
      text: 'Wait, For 3 days (wait)',
      details: ['For 2 days → For 3 days', 'Next: now goes to the end instead of “Exit (done)”'],
    },
    { kind: 'added', text: 'Send email, Tips (tips)', details: [] },
  ]);
});

it('tells what starts it, and rules that were set, changed and taken away', () => {
  const before = read({ ...first, entry: { event: { eventName: 'a' } }, holdout: 10, reentry: 'never' });
  const after = read({
    ...first,
    entry: { event: { eventName: 'b' } },
    reentry: { after: 'P7D' },
    cap: { messages: 1, per: 'P1D' },
  });
  expect(tellDifference(before, after, names)).toEqual([
    { kind: 'changed', text: 'Entry', details: ['When someone does “a” → When someone does “b”'] },
    { kind: 'removed', text: 'Holdout', details: ['10% → not set'] },
    { kind: 'added', text: 'Message limit', details: ['not set → 1 message in 1 day'] },
    { kind: 'changed', text: 'Re-entry', details: ['never → 7 days after the last entry'] },
  ]);
});

it('writes a definition as lines, each step with its ways', () => {
  expect(linesOf(read({ ...first, holdout: 5 }), names)).toBe(
    [
      'Start: When someone does “signed_up”',
      '',
      'Send email, Welcome (welcome)',
      '  Next → wait',
      '',
      'Wait, For 2 days (wait)',
      '  Next → done',
      '',
      'Exit (done)',
      '',
      'Holdout: 5%',
      '',
    ].join('\n'),
  );
});
