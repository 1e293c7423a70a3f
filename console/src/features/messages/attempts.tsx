import { Card } from '../../shared/card.tsx';
import { Moment } from '../../shared/moment.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { kept, attempts as said, t } from '../../texts/messages.ts';
import classes from './message.module.css';
import { keptReply, type Message } from './message.ts';

/** The mail server's replies to each attempt. */
export function Attempts({ attempts }: Pick<Message, 'attempts'>) {
  return (
    <Card title={t.attempts}>
      <ol className={classes.attempts} aria-label={t.attemptsLabel}>
        {attempts.map(({ at, reply, outcome }) => (
          <li key={at}>
            <span>
              {reply === keptReply ? (
                <ToneBadge tone={kept.tone}>{kept.label}</ToneBadge>
              ) : (
                <ToneBadge tone={said[outcome]?.tone ?? 'quiet'}>{said[outcome]?.title ?? outcome}</ToneBadge>
              )}
            </span>
            {reply === keptReply ? <span>{kept.text}</span> : <span className={classes.reply}>{reply}</span>}
            <span className={classes.quiet}>
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
