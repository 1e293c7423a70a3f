import figureStyles from '../../../shared/figure.module.css';
import { Figure } from '../../../shared/figure.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/journeys.ts';
import { percent, points, whole } from '../../../texts/numbers.ts';
import type { JourneyStats } from '../journey-api.ts';
import classes from './report-tab.module.css';
import { sayLift, verdictOf } from './say-holdout.ts';

type HoldoutStats = NonNullable<JourneyStats['holdout']>;

/** The effect of the messages: one sentence, then the numbers behind it. */
export function Holdout({ holdout }: { holdout: HoldoutStats }) {
  const { treated, held, difference, interval, lift } = holdout;
  const { text, tone } = verdictOf(holdout);
  const [low, high] = interval ?? [];
  const ofGroup = ({ entered, reachedGoal }: HoldoutStats['held']) => t.ofEntered(whole(reachedGoal), whole(entered));
  return (
    <div className={classes.stack}>
      <div>
        <ToneBadge tone={tone}>{text}</ToneBadge>
      </div>
      <div className={figureStyles.row}>
        <Figure
          label={t.treated}
          definition={t.goalRateText}
          value={percent(treated.goalRate)}
          note={ofGroup(treated)}
        />
        <Figure label={t.held} definition={t.goalRateText} value={percent(held.goalRate)} note={ofGroup(held)} />
        <Figure
          label={t.difference}
          definition={t.differenceText}
          value={difference === null ? t.noLift : points(difference)}
          note={low === undefined || high === undefined ? undefined : t.between(points(low), points(high))}
        />
        <Figure label={t.lift} definition={t.liftText} value={sayLift(lift)} />
      </div>
    </div>
  );
}
