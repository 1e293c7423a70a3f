/**
 * The tag list of DKIM and DMARC records: `v=DKIM1; k=rsa; p=…`. Undefined if the text is not one. If a tag comes twice, the first counts.
 */
export function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  const parts = text.split(';');
  if (parts.at(-1)?.trim() === '') parts.pop();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 0 || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return undefined;
    if (!tags.has(name)) tags.set(name, part.slice(at + 1).trim());
  }
  return tags.size === 0 ? undefined : tags;
}

/** Whether `v` comes first, as both kinds of records require. */
export function startsWithVersion(tags: Map<string, string>, version: string): boolean {
  const [first] = tags;
  return first?.[0] === 'v' && first[1] === version;
}
