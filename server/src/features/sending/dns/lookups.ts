// Asks DNS. Distinguishes "there is no such record" from "no answer": only the first says something about a domain.
import { Resolver } from 'node:dns/promises';
import type { RecordState } from '@rapport/contract';

/** The result of checking a record, with a sentence for people. */
export interface Verdict {
  state: RecordState;
  detail: string;
}

/** The lookups of one check. A name that does not exist has no records; throws NoAnswer if DNS does not answer. */
export interface Lookups {
  /** Each record as one text, however it was split. */
  txt(name: string): Promise<string[]>;
  cname(name: string): Promise<string[]>;
  /** The hosts that take mail for the name. */
  mx(name: string): Promise<string[]>;
  addresses(name: string): Promise<string[]>;
  end(): void;
}

/** Makes the lookups of a check. Each check has its own, so that it sees nothing that another one cached. */
export type DnsResolver = () => Lookups;

export class NoAnswer extends Error {
  constructor(
    readonly of: string,
    why: string,
  ) {
    super(`DNS did not say anything about ${of} (${why})`);
  }
}

// Milliseconds. A lost packet is sent again once. A person is waiting for the check.
const patience = { try: 1500, all: 8000 };
const nothingThere = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

/** @param servers addresses, with a port where it is not 53; those of the machine by default. */
export function dnsResolver(servers: readonly string[] = []): DnsResolver {
  return () => {
    const resolver = new Resolver({ timeout: patience.try, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    let isOver = false;
    const deadline = setTimeout(() => {
      isOver = true;
      resolver.cancel();
    }, patience.all);
    const answers = new Map<string, Promise<unknown[]>>();
    /** Asks once per name, however many records need it. */
    const ask = <T>(type: string, name: string, question: () => Promise<T[]>): Promise<T[]> => {
      const key = `${type} ${name}`;
      const known = answers.get(key) as Promise<T[]> | undefined;
      // After one name without an answer, the check must not wait for the next.
      const answer = known ?? (isOver ? Promise.reject(tooLong(name)) : answerTo(name, question()));
      answers.set(key, answer);
      return answer;
    };
    return {
      txt: async (name) => (await ask('TXT', name, () => resolver.resolveTxt(name))).map((parts) => parts.join('')),
      cname: async (name) => (await ask('CNAME', name, () => resolver.resolveCname(name))).map(plainName),
      mx: async (name) =>
        (await ask('MX', name, () => resolver.resolveMx(name))).map(({ exchange }) => plainName(exchange)),
      addresses: async (name) => {
        const both = [ask('A', name, () => resolver.resolve4(name)), ask('AAAA', name, () => resolver.resolve6(name))];
        return (await Promise.all(both)).flat();
      },
      end: () => clearTimeout(deadline),
    };
  };
}

async function answerTo<T>(name: string, asking: Promise<T[]>): Promise<T[]> {
  try {
    return await asking;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (nothingThere.has(code)) return [];
    throw new NoAnswer(name, code);
  }
}

function tooLong(name: string): NoAnswer {
  return new NoAnswer(name, 'the check took too long');
}

/** The verdict, or `unknown` if DNS did not answer. */
export async function unlessSilent(judging: Promise<Verdict>): Promise<Verdict> {
  try {
    return await judging;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { state: 'unknown', detail: `${error.message}. Nothing was learned of the record; check again later.` };
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
