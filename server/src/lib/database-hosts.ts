// DATABASE_URL may name several hosts, as in libpq: postgres://user:password@one:5432,two:5432/rapport. One of them accepts writes,
// and after a fail-over it is another. We find out which when we connect.

const wholeUrl = /^([a-z]+:\/\/)([^/?#]*)(.*)$/i;
const kinds = ['any', 'read-write', 'primary'];

/** One address per host. */
export function addressesIn(url: string): string[] {
  const [, scheme = '', authority = '', rest = ''] = wholeUrl.exec(url) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  return authority
    .slice(at)
    .split(',')
    .map((host) => scheme + authority.slice(0, at) + host + rest);
}

/** The value of `target_session_attrs`, if it is one that we support. */
export function sessionAttributeIn(url: string): { asked: string | undefined; isKnown: boolean } {
  const query = url.split('?')[1]?.split('#')[0];
  const asked = new URLSearchParams(query).get('target_session_attrs') ?? undefined;
  return { asked, isKnown: asked === undefined || kinds.includes(asked) };
}

/** The host to connect to now. All clients of the same connection settings share it. */
export class Hosts {
  private at = 0;
  private readonly addresses: readonly string[];
  /** If there are several, hosts that do not accept writes are skipped. */
  readonly onlyWritable: boolean;

  constructor(url: string, isReplica = false) {
    this.addresses = addressesIn(url);
    const { asked } = sessionAttributeIn(url);
    this.onlyWritable = !isReplica && (asked === undefined ? this.addresses.length > 1 : asked !== 'any');
  }

  get isSeveral(): boolean {
    return this.addresses.length > 1;
  }

  get current(): string {
    return this.addresses[this.at] as string;
  }

  /** Its host did not respond, or does not accept writes: the next client tries the next one. */
  leave(address: string): void {
    if (address === this.current) this.at = (this.at + 1) % this.addresses.length;
  }
}
