export interface BannerFacts {
  baseUrl: string;
  /** What keeps the data, in a few words. */
  storage: string;
  demoToken: string | undefined;
  adminTokenFile: string | undefined;
  notes: string[];
}

/** What a person sees when the service is up: where it is, and what to paste next. */
export function banner({ baseUrl, storage, demoToken, adminTokenFile, notes }: BannerFacts): string {
  const lines = ['', `  Rapport is ready at ${baseUrl}`, ''];
  lines.push(`  Console   ${baseUrl}/console`);
  lines.push(`  Docs      ${baseUrl}/docs`);
  lines.push(`  Data      ${storage}`);
  if (adminTokenFile) lines.push(`  Admin     token in ${adminTokenFile}`);
  if (demoToken) {
    lines.push(`  Demo      ${demoToken}`, '', '  Try', '');
    lines.push(`    curl -H "Authorization: Bearer ${demoToken}" "${baseUrl}/v2/lists?pageSize=2"`);
  }
  for (const note of notes) lines.push('', `  ${note}`);
  return `${lines.join('\n')}\n\n`;
}
