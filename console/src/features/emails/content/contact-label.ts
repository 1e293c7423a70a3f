import type { Contact } from '../email-api.ts';

/** `Ada Lovelace · ada@example.com` */
export function contactLabel({ email, properties }: Pick<Contact, 'email' | 'properties'>): string {
  const name = [properties.first_name, properties.last_name]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
  return name ? `${name} · ${email}` : email;
}
