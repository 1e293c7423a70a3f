// An address as its two parts. Pure.
interface AddressParts {
  local: string;
  domain: string;
}

export function partsOf(address: string): AddressParts {
  const at = address.lastIndexOf('@');
  return at < 0 ? { local: address, domain: '' } : { local: address.slice(0, at), domain: address.slice(at + 1) };
}

/** The address after input in its first part: a pasted address replaces the whole. */
export function withLocal(address: string, typed: string, domains: readonly string[]): string {
  const text = typed.trim();
  if (text.includes('@')) {
    const { local, domain } = partsOf(text);
    return `${local}@${(domain || partsOf(address).domain || domains[0] || '').toLowerCase()}`;
  }
  return `${text}@${partsOf(address).domain || domains[0] || ''}`;
}

export function withDomain(address: string, domain: string): string {
  return `${partsOf(address).local}@${domain}`;
}
