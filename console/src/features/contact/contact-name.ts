/** `Ada Lovelace`; undefined for somebody whose name is not known. */
export function nameOf(properties: Readonly<Record<string, unknown>>): string | undefined {
  const name = [properties.first_name, properties.last_name]
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .join(' ');
  return name || undefined;
}
