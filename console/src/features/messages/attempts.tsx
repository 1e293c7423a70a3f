import { Card } from '../../shared/card.tsx';
import { Moment } from '../../shared/moment.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { attempts as said, t } from '../../texts/messages.ts';
import classes from './message.module.css';
import type { Message } from './message.ts';

/** What mail servers answered, each time. */
export function Attempts({ attempts }: Pick<Message, 'attempts'>) {
  return (
    <Card title={t.attempts}>
      <ol className={classes.attempts} aria-label={t.attemptsLabel}>
        {attempts.map(({ at, reply, outcome }) => (
          <li key={at}>
            <span>
              <ToneBadge tone={said[outcome]?.tone ?? 'quiet'}>{said[outcome]?.title ?? outcome}</ToneBadge>
            </span>
            <span className={classes.reply}>{reply}</span>
            <span className={classes.quiet}>
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
