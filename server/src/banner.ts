interface BannerFacts {
  baseUrl: string;
  role: 'api' | 'worker' | 'all';
  /** What keeps the data, in a few words. */
  storage: string;
  demo: { token: string; contactId: string | undefined; signInUrl: string | undefined } | undefined;
  /** What to paste when no one can sign in yet. */
  firstAdmin: string[] | undefined;
  adminTokenFile: string | undefined;
  /** Where bounces are taken. */
  bounces: string | undefined;
  notes: string[];
}

const roles = {
  all: undefined,
  api: 'api: writes wait until a node with ROLE=worker or ROLE=all runs on the same database.',
  worker: 'worker: does what the other nodes take in. It answers /healthz, /readyz and /metrics only.',
};

/** What a person sees when the service is up: where it is, and what to paste next. */
export function banner(facts: BannerFacts): string {
  const { baseUrl, role, storage, demo, firstAdmin, adminTokenFile, bounces, notes } = facts;
  const isServing = role !== 'worker';
  const lines = ['', `  Rapport is ready at ${baseUrl}`, ''];
  if (isServing) lines.push(`  Console   ${baseUrl}/console`);
  if (demo?.signInUrl) lines.push(`  Sign in   ${demo.signInUrl}`);
  if (isServing) lines.push(`  Docs      ${baseUrl}/docs`);
  lines.push(`  Data      ${storage}`);
  if (roles[role]) lines.push(`  Role      ${roles[role]}`);
  if (adminTokenFile && isServing) lines.push(`  Admin     token in ${adminTokenFile}`);
  if (bounces) lines.push(`  Bounces   smtp://${bounces}`);
  if (demo) lines.push(...whatToTry(demo, baseUrl));
  if (firstAdmin) lines.push(...howToBegin(firstAdmin));
  for (const note of notes) lines.push('', `  ${note}`);
  return `${lines.join('\n')}\n\n`;
}

function whatToTry({ token, contactId }: NonNullable<BannerFacts['demo']>, baseUrl: string): string[] {
  const tries = ['/v2/lists?pageSize=2'];
  if (contactId) tries.push(`/v2/contacts/${contactId}/product-activity?pageSize=2`);
  tries.push('/v2/messages?pageSize=2', '/v2/journeys?pageSize=2');
  const pasted = tries.map((path) => `    curl -H "Authorization: Bearer ${token}" "${baseUrl}${path}"`);
  return [`  Demo      ${token}`, '', '  Try', '', ...pasted];
}

function howToBegin(firstAdmin: string[]): string[] {
  const [, , second] = firstAdmin;
  return [
    '',
    '  No one can sign in yet. In another terminal, with your address in the last line, paste:',
    '',
    ...firstAdmin.map((line) => `    ${line}`),
    '',
    '  Then open the link in the last response in a browser to sign in.',
    ...(second ? ['  (The 1 before /invitations is the tenantId in the answer before.)'] : []),
  ];
}
