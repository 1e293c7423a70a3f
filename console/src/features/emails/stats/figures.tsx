import figureStyles from '../../../shared/figure.module.css';
import { Figure } from '../../../shared/figure.tsx';
import { figures } from '../../../texts/emails.ts';
import { percent, whole } from '../../../texts/numbers.ts';
import type { EmailStats } from '../email-api.ts';

export function Figures({ stats }: { stats: EmailStats }) {
  const { rates } = stats;
  return (
    <div className={figureStyles.row}>
      <Figure {...figures.sent} value={whole(stats.sent)} />
      <Figure {...figures.delivered} value={whole(stats.delivered)} note={percent(rates.deliveryRate)} />
      <Figure {...figures.opened} value={whole(stats.uniqueOpened)} note={percent(rates.openRate)} />
      <Figure {...figures.clicked} value={whole(stats.uniqueClicked)} note={percent(rates.clickRate)} />
      <Figure {...figures.bounced} value={whole(stats.bounced)} note={percent(rates.bounceRate)} />
      <Figure {...figures.unsubscribed} value={whole(stats.unsubscribed)} note={percent(rates.unsubscribeRate)} />
    </div>
  );
}
