/** `Ada Lovelace`; undefined for a contact without a name. */
export function nameOf(properties: Readonly<Record<string, unknown>>): string | undefined {
  const name = [properties.first_name, properties.last_name]
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .join(' ');
  return name || undefined;
}

interface Named {
  email: string;
  properties: Readonly<Record<string, unknown>>;
}

/** `Ada Lovelace · ada@example.com` */
export function contactLabel({ email, properties }: Named): string {
  const name = nameOf(properties);
  return name ? `${name} · ${email}` : email;
}
