import figureStyles from '../../../shared/figure.module.css';
import { Figure } from '../../../shared/figure.tsx';
import { rates as shares } from '../../../texts/figure.ts';
import { t } from '../../../texts/journeys.ts';
import { whole } from '../../../texts/numbers.ts';
import { figures, t as reports } from '../../../texts/reports.ts';
import { t as words } from '../../../texts/shared.ts';
import type { By } from '../../reports/by.ts';
import type { JourneyStats } from '../journey-api.ts';

export function JourneyFigures({ stats, by }: { stats: JourneyStats; by: By }) {
  const { rates } = stats;
  const noteOf = (of: number, rate: string) => (of === 0 ? words.empty : rate);
  const goalRate = stats.entered === 0 ? 0 : Math.min(1, stats.reachedGoal / stats.entered);
  return (
    <>
      <section aria-label={t.people} className={figureStyles.row}>
        <Figure {...figures.entered} value={whole(stats.entered)} />
        <Figure {...figures.inProgress} value={whole(stats.inProgress)} />
        <Figure {...figures.completed} value={whole(stats.completed)} />
        <Figure {...figures.exited} value={whole(stats.exited)} />
        <Figure
          {...figures.reachedGoal}
          value={whole(stats.reachedGoal)}
          note={noteOf(stats.entered, shares.ofEntered(goalRate))}
        />
      </section>
      <section aria-label={t.messages} className={figureStyles.row}>
        <Figure {...figures.sent} value={whole(stats.sent)} />
        <Figure
          {...figures.delivered}
          value={whole(stats.delivered)}
          note={noteOf(stats.sent, shares.ofSent(rates.deliveryRate))}
        />
        {by === 'people' ? (
          <>
            <Figure
              {...figures.opened}
              value={whole(stats.uniqueOpened)}
              note={noteOf(stats.delivered, shares.ofDelivered(rates.openRate))}
            />
            <Figure
              {...figures.clicked}
              value={whole(stats.uniqueClicked)}
              note={noteOf(stats.delivered, shares.ofDelivered(rates.clickRate))}
            />
          </>
        ) : (
          <>
            <Figure {...figures.machineOpened} value={whole(stats.machineOpened)} note={reports.machineNote} />
            <Figure {...figures.machineClicked} value={whole(stats.machineClicked)} note={reports.machineNote} />
          </>
        )}
        <Figure
          {...figures.bounced}
          value={whole(stats.bounced)}
          note={noteOf(stats.sent, shares.ofSent(rates.bounceRate))}
        />
        <Figure
          {...figures.unsubscribed}
          value={whole(stats.unsubscribed)}
          note={noteOf(stats.delivered, shares.ofDelivered(rates.unsubscribeRate))}
        />
      </section>
    </>
  );
}
