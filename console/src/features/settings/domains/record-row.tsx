import { CopyButton } from '../../../shared/copy-button.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { domains as t } from '../../../texts/settings-sending.ts';
import classes from './domain-card.module.css';
import { type DnsRecord, recordTones } from './domain-words.ts';

/** One record to publish: its purpose, the result of the last check, and its parts to copy. */
export function RecordRow({ record }: { record: DnsRecord }) {
  const purpose = t.purposes[record.purpose];
  return (
    <li className={classes.record}>
      <div className={classes.about}>
        <strong>{purpose}</strong>
        <ToneBadge tone={recordTones[record.state]}>{t.states[record.state]}</ToneBadge>
        <span className={classes.detail}>{record.detail}</span>
      </div>
      <dl className={classes.parts}>
        <dt>{t.type}</dt>
        <dd className={classes.code}>{record.type}</dd>
        <dt>{t.name}</dt>
        <dd>
          <span className={classes.code}>{record.name}</span>
          <CopyButton text={record.name} size="compact-xs" flex="none" aria-label={t.copyName(purpose)} />
        </dd>
        <dt>{t.value}</dt>
        <dd>
          <span className={classes.code}>{record.value}</span>
          <CopyButton text={record.value} size="compact-xs" flex="none" aria-label={t.copyValue(purpose)} />
        </dd>
      </dl>
    </li>
  );
}
