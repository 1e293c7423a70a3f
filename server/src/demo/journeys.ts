// The journeys of the demo tenant: one that its events start, and one that a calendar starts.

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
            ...{ id: 'has-data', type: 'branch', otherwise: 'welcome' },
            cases: [{ filter: { event: 'data_imported' }, next: 'mark' }],
          },
          { id: 'welcome', type: 'sendEmail', emailId: emails.get('Welcome') },
          {
            ...{ id: 'imports', type: 'waitUntil', timeout: 'P30D', onTimeout: 'silent' },
            branches: [
              { event: { eventName: 'data_imported', where: { eventProperty: 'rows', gte: 1 } }, next: 'mark' },
            ],
          },
          { id: 'mark', type: 'updateProperty', property: 'onboarding', value: 'done' },
          {
            ...{ id: 'plan', type: 'branch', otherwise: null },
            cases: [{ filter: { property: 'plan', is: 'team' }, next: 'power' }],
          },
          { id: 'power', type: 'addToList', staticListId: powerUsers, next: null },
          { id: 'silent', type: 'exit', reason: 'nothing imported' },
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
            ...{ id: 'known', type: 'branch', otherwise: 'add' },
            cases: [{ filter: { staticListId: powerUsers }, next: 'stop' }],
          },
          { id: 'stop', type: 'exit', reason: 'already a power user' },
          { id: 'add', type: 'addToList', staticListId: powerUsers, next: null },
        ],
      },
    },
  ];
}
