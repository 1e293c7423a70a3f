import type { DataValue, listWebhooks } from '@rapport/contract';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/webhooks.ts';

export type Webhook = DataValue<typeof listWebhooks>;

export function WebhookState({ state }: { state: Webhook['state'] }) {
  return <ToneBadge tone={state === 'active' ? 'good' : 'bad'}>{t.states[state]}</ToneBadge>;
}
