import { Anchor } from '@mantine/core';
import type { RecipientGroup } from '@rapport/contract';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import figureStyles from '../../../shared/figure.module.css';
import { Figure } from '../../../shared/figure.tsx';
import { figures } from '../../../texts/emails.ts';
import { rates as shares } from '../../../texts/figure.ts';
import { whole } from '../../../texts/numbers.ts';
import { t as people } from '../../../texts/recipients.ts';
import type { EmailStats } from '../email-api.ts';

export function Figures({ id, stats }: { id: string; stats: EmailStats }) {
  const { rates } = stats;
  const who = (group: RecipientGroup, label: string, value: string): ReactNode => (
    <Anchor
      component={Link}
      href={`/emails/${id}/recipients?group=${group}`}
      aria-label={people.people(`${label}: ${value}`)}
      inherit
      c="inherit"
    >
      {value}
    </Anchor>
  );
  return (
    <div className={figureStyles.row}>
      <Figure {...figures.sent} value={whole(stats.sent)} />
      <Figure {...figures.delivered} value={whole(stats.delivered)} note={shares.ofSent(rates.deliveryRate)} />
      <Figure
        {...figures.opened}
        value={who('opened', figures.opened.label, whole(stats.uniqueOpened))}
        note={shares.ofDelivered(rates.openRate)}
      />
      <Figure
        {...figures.clicked}
        value={who('clicked', figures.clicked.label, whole(stats.uniqueClicked))}
        note={shares.ofDelivered(rates.clickRate)}
      />
      <Figure
        {...figures.bounced}
        value={who('bounced', figures.bounced.label, whole(stats.bounced))}
        note={shares.ofSent(rates.bounceRate)}
      />
      <Figure
        {...figures.unsubscribed}
        value={whole(stats.unsubscribed)}
        note={shares.ofDelivered(rates.unsubscribeRate)}
      />
    </div>
  );
}
