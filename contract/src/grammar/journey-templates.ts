// What a new journey can begin with. Emails and lists are chosen on the canvas; events and properties are named as most products name them.

interface JourneyTemplate {
  readonly id: string;
  readonly type: 'batch' | 'trigger';
  readonly title: string;
  readonly text: string;
  /** What it reads and sends: it does nothing until the workspace has these. */
  readonly needs: {
    readonly events: readonly string[];
    readonly properties: readonly string[];
    readonly emails: number;
    readonly lists: number;
  };
  readonly definition: {
    readonly entry: Readonly<Record<string, unknown>>;
    readonly steps: readonly Readonly<Record<string, unknown>>[];
    readonly [rule: string]: unknown;
  };
}

const officeHours = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', timeZone: 'contact' };

export const journeyTemplates = [
  {
    id: 'onboarding',
    type: 'trigger',
    title: 'Onboarding',
    text: 'A welcome email, first steps after two days, and help for people who don’t get started.',
    needs: { events: ['signed_up', 'activated'], properties: [], emails: 3, lists: 0 },
    definition: {
      entry: { event: { eventName: 'signed_up' } },
      steps: [
        { id: 'welcome', name: 'Welcome', type: 'sendEmail' },
        { id: 'two-days', name: 'Two days to explore', type: 'delay', for: 'P2D' },
        { id: 'first-steps', name: 'First steps', type: 'sendEmail' },
        {
          ...{ id: 'gets-going', name: 'Do they get started?', type: 'waitUntil', timeout: 'P5D', onTimeout: 'help' },
          branches: [{ event: { eventName: 'activated' }, next: 'going' }],
        },
        { id: 'help', name: 'Offer help', type: 'sendEmail', next: null },
        { id: 'going', type: 'exit', reason: 'got started' },
      ],
      goal: { filter: { event: 'activated' } },
      window: officeHours,
    },
  },
  {
    id: 'trialEnding',
    type: 'trigger',
    title: 'Trial ending',
    text: 'A reminder three days before the trial ends, a last call, and a thank-you for people who upgrade.',
    needs: { events: ['upgraded'], properties: ['trial_ends_at'], emails: 3, lists: 0 },
    definition: {
      entry: { date: { property: 'trial_ends_at', offset: '-P3D', at: '09:00' } },
      steps: [
        { id: 'reminder', name: 'Three days left', type: 'sendEmail' },
        {
          ...{ id: 'upgrades', name: 'Do they upgrade?', type: 'waitUntil', timeout: 'P2D', onTimeout: 'last-call' },
          branches: [{ event: { eventName: 'upgraded' }, next: 'thanks' }],
        },
        { id: 'last-call', name: 'Last call', type: 'sendEmail', next: null },
        { id: 'thanks', name: 'Thank you', type: 'sendEmail', next: null },
      ],
      goal: { filter: { event: 'upgraded' } },
    },
  },
  {
    id: 'winBack',
    type: 'trigger',
    title: 'Win-back',
    text: 'For people who go quiet. Tests two emails, with a holdout to measure the effect.',
    needs: { events: ['signed_in'], properties: [], emails: 3, lists: 1 },
    definition: {
      entry: { joined: {} },
      steps: [
        {
          ...{ id: 'subjects', name: 'Two ways to ask', type: 'split' },
          arms: [
            { name: 'A', percent: 50, next: 'mail-a' },
            { name: 'B', percent: 50, next: 'mail-b' },
          ],
        },
        { id: 'mail-a', name: 'What’s new', type: 'sendEmail', next: 'a-week' },
        { id: 'mail-b', name: 'We miss you', type: 'sendEmail', next: 'a-week' },
        { id: 'a-week', name: 'A week to come back', type: 'delay', for: 'P7D' },
        { id: 'last-one', name: 'Last email', type: 'sendEmail', next: null },
      ],
      goal: { filter: { event: 'signed_in', withinLast: 'P7D' }, exit: true },
      holdout: 10,
      reentry: { after: 'P90D' },
    },
  },
  {
    id: 'expansion',
    type: 'trigger',
    title: 'Team upgrade',
    text: 'Offers a bigger plan when someone reaches a limit and their team is active.',
    needs: { events: ['limit_reached', 'signed_in', 'plan_upgraded'], properties: [], emails: 2, lists: 0 },
    definition: {
      entry: { event: { eventName: 'limit_reached' } },
      steps: [
        {
          ...{ id: 'is-team', name: 'Does a team use it?', type: 'branch', otherwise: 'not-yet' },
          cases: [
            {
              filter: { orgMembers: { where: { event: 'signed_in', withinLast: 'P30D' }, atLeast: 3 } },
              next: 'offer',
            },
          ],
        },
        { id: 'offer', name: 'Offer a bigger plan', type: 'sendEmail' },
        {
          ...{ id: 'answer', name: 'Do they upgrade?', type: 'waitUntil', timeout: 'P5D', onTimeout: 'follow-up' },
          branches: [{ event: { eventName: 'plan_upgraded' }, next: 'upgraded' }],
        },
        { id: 'follow-up', name: 'Follow up', type: 'sendEmail', next: null },
        { id: 'upgraded', type: 'exit', reason: 'upgraded' },
        { id: 'not-yet', type: 'exit', reason: 'not a team yet' },
      ],
      goal: { filter: { event: 'plan_upgraded' } },
      reentry: { after: 'P90D' },
      window: officeHours,
    },
  },
  {
    id: 'digest',
    type: 'batch',
    title: 'Weekly digest',
    text: 'Every Monday at 9:00 in each person’s time zone, to people who were active in the past week.',
    needs: { events: ['signed_in'], properties: [], emails: 1, lists: 1 },
    definition: {
      // Before Monday begins anywhere.
      entry: { audience: {}, schedule: { cron: '0 6 * * 0', timeZone: 'UTC' } },
      steps: [
        { id: 'monday', name: 'Monday at 9:00', type: 'delay', untilTime: '09:00', days: [1] },
        {
          ...{ id: 'was-active', name: 'Active in the past week?', type: 'branch', otherwise: null },
          cases: [{ filter: { event: 'signed_in', withinLast: 'P7D' }, next: 'digest' }],
        },
        { id: 'digest', name: 'Digest', type: 'sendEmail' },
      ],
      reentry: 'always',
    },
  },
  {
    id: 'cart',
    type: 'trigger',
    title: 'Abandoned cart',
    text: 'A reminder for people who start a checkout but don’t finish it within four hours.',
    needs: { events: ['checkout_started', 'order_placed'], properties: [], emails: 1, lists: 0 },
    definition: {
      entry: { event: { eventName: 'checkout_started' } },
      steps: [
        {
          ...{ id: 'finishes', name: 'Do they order?', type: 'waitUntil', timeout: 'PT4H', onTimeout: 'reminder' },
          branches: [{ event: { eventName: 'order_placed' }, next: 'done' }],
        },
        { id: 'reminder', name: 'Reminder', type: 'sendEmail', next: null },
        { id: 'done', type: 'exit', reason: 'ordered' },
      ],
      goal: { filter: { event: 'order_placed' } },
      reentry: { after: 'P7D' },
    },
  },
  {
    id: 'announcement',
    type: 'batch',
    title: 'Announcement',
    text: 'One email to everyone in a list.',
    needs: { events: [], properties: [], emails: 1, lists: 1 },
    definition: { entry: { audience: {} }, steps: [{ id: 'announcement', type: 'sendEmail' }] },
  },
] as const satisfies readonly JourneyTemplate[];
