// Twenty dynamic lists, covering every kind of condition in the filter language.

/** The property that shows how soon a list has seen a write, and the event whose window closes during the bench. */
export const mark = 'bench_mark';
export const ping = 'bench_ping';
export const pingSeconds = 4;

/**
 * @param {Record<'staticListId' | 'journeyId' | 'emailId', string | undefined>} ids
 * @returns {Record<string, object | ((made: Record<string, string>) => object)>}
 */
export function filtersOf({ staticListId, journeyId, emailId }) {
  return {
    'a property': { property: 'plan', is: 'pro' },
    'numbers between': { property: 'seats', between: [10, 12] },
    'text within': { property: 'city', endsWith: ' 777' },
    'a date ahead': { property: 'renews', withinNext: 'P1D' },
    'an earlier value': { property: 'plan', hasEverBeen: 'trial' },
    'an address': { contact: 'email', endsWith: '@example7.com' },
    'of a user': { userProperty: 'role', is: 'team' },
    'of an organization': {
      all: [
        { orgProperty: 'tier', is: 'pro' },
        { organization: 'name', startsWith: 'Org 1' },
      ],
    },
    'members of an organization': { orgMembers: { where: { property: 'plan', is: 'team' }, atLeast: 3 } },
    'an event, counted': { event: 'report_exported', atLeast: 3 },
    'an event in a window': { event: 'login', atLeast: 2, withinLast: 'P30D' },
    'a sum of events': { event: 'report_exported', measure: 'sum', of: 'rows', gt: 1500 },
    'one event after another': {
      sequence: [{ event: 'login' }, { event: 'report_exported', within: 'P7D' }],
      withinLast: 'P90D',
    },
    'engagement with mail': {
      all: [
        { marketing: 'opened', atLeast: 2, withinLast: 'P60D' },
        { marketing: 'clicked', exactly: 0, emailId },
      ],
    },
    'on a journey': { journeyId, state: 'inProgress' },
    'in a static list': { all: [{ staticListId }, { none: [{ property: 'plan', is: 'free' }] }] },
    'in another list': (made) => ({ all: [{ dynamicListId: made['a property'] }, { property: 'score', gte: 90 }] }),
    'any and none, a share': {
      all: [
        {
          any: [
            { property: 'plan', is: 'team' },
            { property: 'seats', lt: 2 },
          ],
        },
        { none: [{ unsubscribed: true }] },
        { bucket: { seed: 'bench', of: 10, from: 0, to: 1 } },
      ],
    },
    marked: { property: mark, is: 'yes' },
    pinged: { event: ping, withinLast: `PT${pingSeconds}S` },
  };
}

/** The filters of previews and explanations. */
export const asked = {
  property: {
    all: [
      { property: 'plan', is: 'pro' },
      { property: 'seats', gte: 30 },
    ],
  },
  event: {
    all: [
      { property: 'plan', is: 'pro' },
      { event: 'login', atLeast: 2, withinLast: 'P30D' },
    ],
  },
  members: { orgMembers: { where: { property: 'plan', is: 'team' }, atLeast: 3 } },
};
