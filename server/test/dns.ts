// A DNS server for tests: answers from a table over UDP on loopback, or fails in the ways that real ones do.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { afterAll, beforeAll } from 'vitest';

const types = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const;
type Type = keyof typeof types;
/** `fine` answers; `silent` never does; `servfail` and `refused` return those codes. */
type Mood = 'fine' | 'silent' | 'servfail' | 'refused';
const codes: Record<Mood, number> = { fine: 0, silent: 0, servfail: 2, refused: 5 };
const notFound = 3;

export class TestDns {
  private readonly records = new Map<string, Map<Type, string[]>>();
  private socket: Socket | undefined;
  mood: Mood = 'fine';
  /** The names of all questions, in order. */
  readonly asked: string[] = [];
  /** For single names. */
  readonly moods = new Map<string, Mood>();

  /** `127.0.0.1:5353`, as in DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket?.address().port}`;
  }

  async start(): Promise<void> {
    const socket = createSocket('udp4');
    socket.on('message', (query, from) => this.answer(query, from));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    this.socket = socket;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.socket ? this.socket.close(resolve) : resolve()));
  }

  /** Replaces the existing records. An MX is given by its host; its preference is 10. */
  set(type: Type, name: string, ...values: string[]): void {
    const known = this.records.get(name.toLowerCase()) ?? new Map<Type, string[]>();
    known.set(type, values);
    this.records.set(name.toLowerCase(), known);
  }

  clear(): void {
    this.records.clear();
    this.moods.clear();
    this.asked.length = 0;
    this.mood = 'fine';
  }

  private answer(query: Buffer, { address, port }: RemoteInfo): void {
    const { name, type, end } = questionOf(query);
    this.asked.push(name);
    const mood = this.moods.get(name) ?? this.mood;
    if (mood === 'silent') return;
    const found = mood === 'fine' ? this.found(name, type) : [];
    const isThere = [...this.records.keys()].some((known) => known === name || known.endsWith(`.${name}`));
    const code = mood === 'fine' && !isThere ? notFound : codes[mood];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // An answer, recursion available; what was asked; how many answers.
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    this.socket?.send(Buffer.concat([head, query.subarray(12, end), ...found]), port, address);
  }

  /** With the chain of aliases that leads there, as a resolver answers. */
  private found(name: string, type: number): Buffer[] {
    const here = this.records.get(name);
    const wanted = Object.entries(types).find(([, number]) => number === type)?.[0] as Type | undefined;
    const own = (wanted && here?.get(wanted)) ?? [];
    if (wanted && own.length > 0) return own.map((value) => record(name, wanted, value));
    const [alias] = here?.get('CNAME') ?? [];
    return alias === undefined ? [] : [record(name, 'CNAME', alias), ...this.found(alias.toLowerCase(), type)];
  }
}

/** A server for the tests of a file. */
export function useDns(): TestDns {
  const dns = new TestDns();
  beforeAll(() => dns.start());
  afterAll(() => dns.stop());
  return dns;
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encodedName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')])),
    Buffer.of(0),
  ]);
}

function record(name: string, type: Type, value: string): Buffer {
  const data = dataOf(type, value);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(types[type], 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodedName(name), head, data]);
}

function dataOf(type: Type, value: string): Buffer {
  switch (type) {
    case 'CNAME':
      return encodedName(value);
    case 'MX':
      return Buffer.concat([Buffer.of(0, 10), encodedName(value)]);
    case 'A':
      return Buffer.from(value.split('.').map(Number));
    case 'AAAA':
      // As many groups as are left out, between the two sides of `::`.
      return Buffer.from(expanded(value), 'hex');
    case 'TXT':
      return Buffer.concat(
        (value.match(/.{1,255}/gs) ?? ['']).map((part) =>
          Buffer.concat([Buffer.of(part.length), Buffer.from(part, 'latin1')]),
        ),
      );
  }
}

function expanded(address: string): string {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => group.padStart(4, '0'));
  const [a, b] = [groups(left), groups(right)];
  return [...a, ...Array.from({ length: 8 - a.length - b.length }, () => '0000'), ...b].join('');
}
