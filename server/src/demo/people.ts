// Who and what is in the demo tenant.

export const lists: { name: string; folder?: string; members: string[] }[] = [
  {
    name: 'Newsletter subscribers',
    folder: 'Marketing',
    members: ['ada', 'alan', 'grace', 'katherine', 'linus', 'margaret'],
  },
  { name: 'Webinar attendees, October', folder: 'Marketing', members: ['grace', 'hedy', 'radia'] },
  { name: 'Beta testers', folder: 'Product', members: ['ada', 'barbara', 'radia'] },
  { name: 'Power users', folder: 'Product', members: ['ada', 'margaret'] },
  { name: 'Customer advisory board', members: ['barbara', 'katherine'] },
];

/** Examples of the filter language: a property and an event, a count in a window, what happens in a whole organization. */
export const dynamicLists = [
  {
    name: 'Free, and looking at prices',
    description: 'On the free plan, and looked at the pricing page lately.',
    filter: {
      all: [
        { property: 'plan', is: 'free' },
        { event: 'pricing_viewed', withinLast: 'P30D' },
      ],
    },
  },
  {
    name: 'Reporting regulars',
    description: 'Exported at least two reports in the last four weeks.',
    filter: { event: 'report_exported', atLeast: 2, withinLast: 'P4W' },
  },
  {
    name: 'Busy organizations, small plan',
    description: 'Several people in the organization are active, and this one could be a champion.',
    filter: {
      all: [
        { orgMembers: { where: { event: 'report_exported', withinLast: 'P30D' }, atLeast: 2 } },
        { none: [{ property: 'tags', is: 'champion' }] },
      ],
    },
  },
];

function person(first: string, last: string, company: string, plan: string, more: Record<string, unknown> = {}) {
  const name = first.toLowerCase();
  const properties = { first_name: first, last_name: last, company_name: company, plan, ...more };
  return { email: `${name}@example.com`, properties };
}

export const contacts = [
  person('Ada', 'Lovelace', 'Analytical Engines', 'team', {
    title: 'Head of Research',
    seats: 12,
    tags: ['champion', 'beta'],
  }),
  person('Alan', 'Turing', 'Bletchley Systems', 'free', { title: 'Cryptanalyst' }),
  person('Barbara', 'Liskov', 'Substitution Ltd', 'pro', { title: 'Professor', seats: 3 }),
  person('Grace', 'Hopper', 'Nanosecond Works', 'pro', {
    title: 'Rear Admiral',
    seats: 5,
    phone_number: '+1 555 0109',
    language: 'en',
  }),
  person('Hedy', 'Lamarr', 'Frequency Hopping Co', 'free', { trial_ends: '2026-12-01', language: 'de-AT' }),
  person('Katherine', 'Johnson', 'Orbit Analytics', 'team', { title: 'Mathematician', seats: 20 }),
  person('Linus', 'Pauling', 'Bond Chemistry', 'free', {}),
  person('Margaret', 'Hamilton', 'Orbit Analytics', 'team', {
    title: 'Director of Software',
    seats: 20,
    active: true,
    language: 'de',
  }),
  person('Radia', 'Perlman', 'Spanning Trees', 'pro', { title: 'Network Designer', seats: 2 }),
];

export const organizations = [
  { orgId: 'orbit', name: 'Orbit Analytics', properties: { industry: 'aerospace', employees: 240 } },
  { orgId: 'engines', name: 'Analytical Engines', properties: { industry: 'computing', employees: 35 } },
];

export const users = [
  { email: 'katherine@example.com', userId: 'katherine', orgIds: ['orbit'], properties: { role: 'admin' } },
  { email: 'margaret@example.com', userId: 'margaret', orgIds: ['orbit'], properties: { role: 'member' } },
  { email: 'ada@example.com', userId: 'ada', orgIds: ['engines', 'orbit'], properties: { role: 'owner' } },
];
