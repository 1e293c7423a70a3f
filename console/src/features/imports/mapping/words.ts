// What cells of other services say about consent, in the words of this one.
import type { SuppressionReason } from '@rapport/contract';

const yes = [
  'yes',
  'y',
  'true',
  '1',
  'subscribed',
  'subscribe',
  'opted_in',
  'opted in',
  'opt-in',
  'opted-in',
  'active',
];
const no = ['no', 'n', 'false', '0', 'unsubscribed', 'unsubscribe', 'opted_out', 'opted out', 'opt-out', 'opted-out'];
const words = new Map([...yes.map((word) => [word, 'yes'] as const), ...no.map((word) => [word, 'no'] as const)]);
// Never asked, or asked and not answered: nothing is said about the topic.
const nothing = new Set([
  'never_subscribed',
  'never subscribed',
  'non-subscribed',
  'nonsubscribed',
  'pending',
  'transactional',
]);

/** `yes`, `no` or nothing; undefined if the cell says none of them. */
export function topicWordOf(cell: string): 'yes' | 'no' | '' | undefined {
  const word = cell.trim().toLowerCase();
  return word === '' || nothing.has(word) ? '' : words.get(word);
}

/** Weakest first, as the service has them: the strongest one is kept. */
export const reasons = [
  'unsubscribed',
  'bounced',
  'complained',
  'manual',
] as const satisfies readonly SuppressionReason[];

const reasonWords: Record<SuppressionReason, readonly string[]> = {
  unsubscribed: ['unsubscribed', 'unsubscribe', 'opted_out', 'opted out', 'opt-out', 'opted-out', 'global_unsubscribe'],
  bounced: ['bounced', 'bounce', 'cleaned', 'hard bounce', 'hard_bounce', 'hard-bounce', 'invalid', 'invalid_email'],
  complained: ['complained', 'complaint', 'spam', 'spam complaint', 'spam_complaint', 'marked as spam', 'abuse'],
  manual: ['manual', 'suppressed', 'user_suppressed', 'blocked', 'archived'],
};
const byWord = new Map(reasons.flatMap((reason) => reasonWords[reason].map((word) => [word, reason] as const)));
const silent = new Set([...yes.filter((word) => !['yes', 'y', 'true', '1'].includes(word)), ...nothing]);
const denying = new Set(['no', 'n', 'false', '0', 'none', '[]', 'null', 'never']);
const affirming = new Set(['yes', 'y', 'true', '1']);

/** How a status column is read: by its words alone, or as this reason wherever it is filled. */
export type StatusReading = 'words' | SuppressionReason;

/** Why the address must get no mail; empty if it may. Undefined if the words are not known. */
export function reasonOfCell(cell: string, reading: StatusReading): SuppressionReason | '' | undefined {
  const word = cell.trim().toLowerCase();
  if (word === '' || silent.has(word) || denying.has(word)) return '';
  // Klaviyo lists them: `[HARD_BOUNCE, UNSUBSCRIBE]`.
  const named = word.split(/[[\],;"']+/).flatMap((part) => byWord.get(part.trim()) ?? []);
  if (named.length > 0) return strongest(named);
  if (reading !== 'words') return reading;
  return affirming.has(word) ? 'unsubscribed' : undefined;
}

export function strongest(found: readonly SuppressionReason[]): SuppressionReason | '' {
  return reasons.findLast((reason) => found.includes(reason)) ?? '';
}
