/** The export of the entries that the filters leave. */
export function exportPath(filter: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  return query.size > 0 ? `/exports/audit-log?${query}` : '/exports/audit-log';
}
