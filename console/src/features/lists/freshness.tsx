import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/lists.ts';
import { whole } from '../../texts/numbers.ts';
import type { ListState } from './list-rows.ts';

// A busy service may lag for a moment, which is nothing to worry about.
const worthSayingSeconds = 60;

/** Undefined: not known yet. */
export function Freshness({ state }: { state: ListState | undefined }) {
  if (!state) return null;
  if (state.state === 'building') return <ToneBadge tone="info">{t.building}</ToneBadge>;
  if (state.lagSeconds > worthSayingSeconds)
    return <ToneBadge tone="warn">{t.behind(whole(Math.round(state.lagSeconds / 60)))}</ToneBadge>;
  return <ToneBadge tone="good">{t.fresh}</ToneBadge>;
}
