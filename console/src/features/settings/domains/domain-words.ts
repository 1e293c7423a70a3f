// What is wrong with a domain, in a sentence.
import { type DataValue, type listWorkspaceDomains, placeholderHost } from '@rapport/contract';
import { domains as t } from '../../../texts/settings-sending.ts';
import type { Tone } from '../../../theme/tone.ts';

export type SendingDomain = DataValue<typeof listWorkspaceDomains>;
export type DnsRecord = SendingDomain['records'][number];

export const recordTones: Readonly<Record<DnsRecord['state'], Tone>> = {
  unknown: 'quiet',
  missing: 'bad',
  wrong: 'bad',
  found: 'good',
};

export function inShort({ records }: Pick<SendingDomain, 'records'>): string {
  const problems = records.filter(({ state }) => state === 'missing' || state === 'wrong').length;
  if (problems > 0) return t.problems(problems);
  if (records.every(({ state }) => state === 'found')) return t.allFound;
  return records.some(isPlaceholder) ? t.notYet : t.nothingChecked;
}

/** Whether it must not be published yet. */
export const isPlaceholder = ({ value }: Pick<DnsRecord, 'value'>): boolean => value.includes(placeholderHost);

/** All records to publish as text: for a mail or a ticket, and as a table where it is pasted into one. */
export function recordsText(records: readonly Pick<DnsRecord, 'type' | 'name' | 'value'>[]): string {
  const real = records.filter((record) => !isPlaceholder(record));
  return [[t.type, t.name, t.value], ...real.map(({ type, name, value }) => [type, name, value])]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

/** A domain that was just added comes first, even while the list does not have it, or has it on another page. */
export function newestFirst(
  rows: readonly SendingDomain[],
  added: SendingDomain | undefined,
): readonly SendingDomain[] {
  if (!added) return rows;
  const now = rows.find(({ domain }) => domain === added.domain) ?? added;
  return [now, ...rows.filter(({ domain }) => domain !== added.domain)];
}
