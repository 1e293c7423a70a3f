// States as shown in rows of messages: a message kept in the outbox is `sent` for the API, but not for people.
import type { MessageState } from '@rapport/contract';
import { kept, states } from '../../texts/messages.ts';

export const stateChoices = Object.entries(states).flatMap(([value, { label }]) =>
  value === 'sent'
    ? [
        { value, label },
        { value: 'kept', label: kept.label },
      ]
    : [{ value, label }],
);

const isState = (word: string | undefined): word is MessageState => word !== undefined && Object.hasOwn(states, word);

/** The API filter for a state. An unknown word filters nothing. */
export function stateFilter(word: string | undefined): { state?: MessageState[]; kept?: 'true' | 'false' } {
  if (word === 'kept') return { kept: 'true' };
  if (!isState(word)) return {};
  return { state: [word], ...(word === 'sent' && { kept: 'false' }) };
}
