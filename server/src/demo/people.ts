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
  }),
  person('Hedy', 'Lamarr', 'Frequency Hopping Co', 'free', { trial_ends: '2026-12-01' }),
  person('Katherine', 'Johnson', 'Orbit Analytics', 'team', { title: 'Mathematician', seats: 20 }),
  person('Linus', 'Pauling', 'Bond Chemistry', 'free', {}),
  person('Margaret', 'Hamilton', 'Orbit Analytics', 'team', { title: 'Director of Software', seats: 20, active: true }),
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
