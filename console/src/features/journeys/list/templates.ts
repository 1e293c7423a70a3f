// Templates for a new journey. Emails, lists and event names are the user's choice: a draft may lack them.
import type { JourneyRecord } from '../journey-api.ts';
import type { Definition } from '../model/definition.ts';

export type TemplateId = 'empty' | 'emptyBatch' | 'welcome' | 'trial' | 'cart' | 'winBack' | 'announcement';

interface Template {
  id: TemplateId;
  type: JourneyRecord['type'];
  definition: Definition | undefined;
}

export const templates: readonly Template[] = [
  { id: 'empty', type: 'trigger', definition: undefined },
  { id: 'emptyBatch', type: 'batch', definition: undefined },
  {
    ...{ id: 'welcome', type: 'trigger' },
    definition: {
      entry: { event: { eventName: 'signed_up' } },
      steps: [
        { id: 'welcome', type: 'sendEmail' },
        { id: 'two-days', type: 'delay', for: 'P2D' },
        { id: 'first-steps', type: 'sendEmail' },
        {
          ...{ id: 'gets-going', type: 'waitUntil', timeout: 'P5D', onTimeout: 'help' },
          branches: [{ event: { eventName: 'activated' }, next: 'going' }],
        },
        { id: 'help', type: 'sendEmail', next: null },
        { id: 'going', type: 'exit', reason: 'got going' },
      ],
      reentry: 'never',
    },
  },
  {
    ...{ id: 'trial', type: 'trigger' },
    definition: {
      entry: { date: { property: 'trial_ends_at', offset: '-P3D', at: '09:00' } },
      steps: [
        { id: 'reminder', type: 'sendEmail' },
        {
          ...{ id: 'upgrades', type: 'waitUntil', timeout: 'P2D', onTimeout: 'last-call' },
          branches: [{ event: { eventName: 'upgraded' }, next: 'thanks' }],
        },
        { id: 'last-call', type: 'sendEmail', next: null },
        { id: 'thanks', type: 'sendEmail', next: null },
      ],
      goal: { filter: { event: 'upgraded' } },
      reentry: 'never',
    },
  },
  {
    ...{ id: 'cart', type: 'trigger' },
    definition: {
      entry: { event: { eventName: 'checkout_started' } },
      steps: [
        {
          ...{ id: 'finishes', type: 'waitUntil', timeout: 'PT4H', onTimeout: 'reminder' },
          branches: [{ event: { eventName: 'order_placed' }, next: 'done' }],
        },
        { id: 'reminder', type: 'sendEmail', next: null },
        { id: 'done', type: 'exit', reason: 'ordered' },
      ],
      goal: { filter: { event: 'order_placed' } },
      reentry: { after: 'P7D' },
    },
  },
  {
    ...{ id: 'winBack', type: 'trigger' },
    definition: {
      entry: { joined: {} },
      steps: [
        {
          ...{ id: 'subjects', type: 'split' },
          arms: [
            { name: 'A', percent: 50, next: 'mail-a' },
            { name: 'B', percent: 50, next: 'mail-b' },
          ],
        },
        { id: 'mail-a', type: 'sendEmail', next: 'a-week' },
        { id: 'mail-b', type: 'sendEmail', next: 'a-week' },
        { id: 'a-week', type: 'delay', for: 'P7D' },
        { id: 'last-one', type: 'sendEmail', next: null },
      ],
      holdout: 10,
      reentry: { after: 'P90D' },
    },
  },
  {
    ...{ id: 'announcement', type: 'batch' },
    definition: { entry: { audience: {} }, steps: [{ id: 'announcement', type: 'sendEmail' }] },
  },
];
