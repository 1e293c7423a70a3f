import type { DataValue, listWebhooks } from '@rapport/contract';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/webhooks.ts';
import type { Tone } from '../../theme/tone.ts';

export type Webhook = DataValue<typeof listWebhooks>;

const tones: Readonly<Record<Webhook['state'], Tone>> = { active: 'good', failing: 'bad', disabled: 'quiet' };

export function WebhookState({ state }: { state: Webhook['state'] }) {
  return <ToneBadge tone={tones[state]}>{t.states[state]}</ToneBadge>;
}
