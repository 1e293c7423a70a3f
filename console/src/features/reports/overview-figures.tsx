import type { DataValue, getStatsOverview } from '@rapport/contract';
import { Figure } from '../../shared/figure.tsx';
import { rates as shares } from '../../texts/figure.ts';
import { percent, whole } from '../../texts/numbers.ts';
import { figures, t } from '../../texts/reports.ts';
import type { By } from './by.ts';
import classes from './reports.module.css';

type Overview = DataValue<typeof getStatsOverview>;
type Count = Exclude<keyof Overview['previous'], 'rates' | 'startTime' | 'endTime'>;

const against = (now: number, then: number, isGoodUp = true) => ({ now, then, isGoodUp });

export function OverviewFigures({ now, previous, by }: { now: Overview; previous: Overview['previous']; by: By }) {
  const { rates } = now;
  const counted = (name: Count, isGoodUp = true) => ({
    value: whole(now[name]),
    before: against(now[name], previous[name], isGoodUp),
  });
  return (
    <div className={classes.figures}>
      <Figure {...figures.sent} {...counted('sent')} />
      <Figure {...figures.delivered} {...counted('delivered')} note={shares.ofSent(rates.deliveryRate)} />
      {by === 'people' ? (
        <>
          <Figure {...figures.opened} {...counted('uniqueOpened')} note={shares.ofDelivered(rates.openRate)} />
          <Figure {...figures.clicked} {...counted('uniqueClicked')} note={shares.ofDelivered(rates.clickRate)} />
          <Figure {...figures.engaged} {...counted('engaged')} />
          <Figure
            {...figures.clickToOpen}
            value={percent(rates.clickToOpenRate)}
            before={{ ...against(rates.clickToOpenRate, previous.rates.clickToOpenRate), isShare: true }}
          />
        </>
      ) : (
        <>
          <Figure {...figures.machineOpened} {...counted('machineOpened')} note={t.machineNote} />
          <Figure {...figures.machineClicked} {...counted('machineClicked')} note={t.machineNote} />
        </>
      )}
      <Figure
        {...figures.bounced}
        {...counted('bounced', false)}
        note={`${shares.ofSent(rates.bounceRate)} · ${t.unit(whole(now.hardBounced), whole(now.softBounced))}`}
      />
      <Figure
        {...figures.unsubscribed}
        {...counted('unsubscribed', false)}
        note={shares.ofDelivered(rates.unsubscribeRate)}
      />
      <Figure {...figures.complained} {...counted('complained', false)} />
      <Figure {...figures.failed} {...counted('failed', false)} />
    </div>
  );
}
