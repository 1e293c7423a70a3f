// The journeys of the demo tenant: one that its events start, one that a calendar starts, and a broadcast.

/** Ids of existing things, by name. */
export interface DemoAssets {
  emails: ReadonlyMap<string, string>;
  lists: ReadonlyMap<string, string>;
  dynamicLists: ReadonlyMap<string, string>;
}

/**
 * Everyone with an account: Ada and Margaret imported data, so they are marked and leave; Katherine did not, gets an email and is still
 * waited for. The scheduled one sends no mail, so that it can run whatever mail server there is later.
 */
export function journeysOf({ emails, lists, dynamicLists }: DemoAssets) {
  const powerUsers = lists.get('Power users');
  return [
    {
      name: 'Onboarding',
      type: 'trigger' as const,
      tags: ['onboarding'],
      definition: {
        entry: { event: { eventName: 'account_created' } },
        goal: { filter: { event: 'report_exported' } },
        steps: [
          {
            ...{ id: 'has-data', name: 'Any data yet?', type: 'branch', otherwise: 'welcome' },
            cases: [{ filter: { event: 'data_imported' }, next: 'mark' }],
          },
          { id: 'welcome', name: 'Welcome them', type: 'sendEmail', emailId: emails.get('Welcome') },
          {
            ...{
              id: 'imports',
              name: 'Wait for their first import',
              type: 'waitUntil',
              timeout: 'P30D',
              onTimeout: 'silent',
            },
            branches: [
              { event: { eventName: 'data_imported', where: { eventProperty: 'rows', gte: 1 } }, next: 'mark' },
            ],
          },
          {
            id: 'mark',
            name: 'Mark onboarding as done',
            type: 'updateProperty',
            property: 'onboarding',
            value: 'done',
          },
          {
            ...{ id: 'plan', name: 'On the team plan?', type: 'branch', otherwise: null },
            cases: [{ filter: { property: 'plan', is: 'team' }, next: 'power' }],
          },
          { id: 'power', name: 'Make them a power user', type: 'addToList', staticListId: powerUsers, next: null },
          { id: 'silent', name: 'Nothing imported', type: 'exit', reason: 'nothing imported' },
        ],
      },
    },
    {
      name: 'Reporting regulars become power users',
      type: 'batch' as const,
      tags: ['weekly'],
      definition: {
        entry: {
          audience: { dynamicListId: dynamicLists.get('Reporting regulars') },
          schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
        },
        reentry: 'afterExit',
        steps: [
          {
            ...{ id: 'known', name: 'Already a power user?', type: 'branch', otherwise: 'add' },
            cases: [{ filter: { staticListId: powerUsers }, next: 'stop' }],
          },
          { id: 'stop', name: 'Nothing to do', type: 'exit', reason: 'already a power user' },
          { id: 'add', name: 'Make them a power user', type: 'addToList', staticListId: powerUsers, next: null },
        ],
      },
    },
  ];
}

/** To three people, of whom Hedy wants no mail. */
export function broadcastOf({ emails, lists }: DemoAssets) {
  return {
    name: 'Product update to webinar attendees',
    emailId: emails.get('Product update, November') ?? '',
    audience: { staticListId: lists.get('Webinar attendees, October') ?? '' },
  };
}
