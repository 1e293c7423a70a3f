export interface BannerFacts {
  baseUrl: string;
  /** What keeps the data, in a few words. */
  storage: string;
  demo: { token: string; contactId: string | undefined; signInUrl: string | undefined } | undefined;
  adminTokenFile: string | undefined;
  /** Where bounces are taken. */
  bounces: string | undefined;
  notes: string[];
}

/** What a person sees when the service is up: where it is, and what to paste next. */
export function banner({ baseUrl, storage, demo, adminTokenFile, bounces, notes }: BannerFacts): string {
  const lines = ['', `  Rapport is ready at ${baseUrl}`, ''];
  lines.push(`  Console   ${baseUrl}/console`);
  if (demo?.signInUrl) lines.push(`  Sign in   ${demo.signInUrl}`);
  lines.push(`  Docs      ${baseUrl}/docs`);
  lines.push(`  Data      ${storage}`);
  if (adminTokenFile) lines.push(`  Admin     token in ${adminTokenFile}`);
  if (bounces) lines.push(`  Bounces   smtp://${bounces}`);
  if (demo) {
    lines.push(`  Demo      ${demo.token}`, '', '  Try', '');
    const tries = ['/v2/lists?pageSize=2'];
    if (demo.contactId) tries.push(`/v2/contacts/${demo.contactId}/product-activity?pageSize=2`);
    tries.push('/v2/messages?pageSize=2', '/v2/journeys?pageSize=2');
    for (const path of tries) lines.push(`    curl -H "Authorization: Bearer ${demo.token}" "${baseUrl}${path}"`);
  }
  for (const note of notes) lines.push('', `  ${note}`);
  return `${lines.join('\n')}\n\n`;
}
