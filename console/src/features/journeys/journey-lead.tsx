import { Moment } from '../../shared/moment.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/journey-canvas.ts';
import type { Tone } from '../../theme/tone.ts';
import type { JourneyWork } from './editing/use-journey-work.ts';
import type { JourneyRecord } from './journey-api.ts';
import classes from './journey-lead.module.css';

const tones: Record<keyof typeof t.status, Tone> = {
  draft: 'quiet',
  active: 'good',
  inactive: 'quiet',
  paused: 'warn',
};

/** Its state in a line below the name. */
export function JourneyLead({ journey }: { journey: JourneyRecord }) {
  const { type, version, nextRunTime, updatedAt, updatedBy } = journey;
  const status = journey.status === 'active' && journey.isPaused ? 'paused' : journey.status;
  return (
    <div className={classes.lead}>
      <ToneBadge tone={tones[status]}>{t.status[status]}</ToneBadge>
      <span>{t.type[type]}</span>
      {version !== null && journey.status === 'active' && <span>{t.live(version)}</span>}
      {nextRunTime && (
        <span>
          {t.nextRun} <Moment at={nextRunTime} isAhead />
        </span>
      )}
      {updatedAt && (
        <span>
          {t.changed} <Moment at={updatedAt} /> {updatedBy && t.changedBy(updatedBy.name)}
        </span>
      )}
    </div>
  );
}

/** Says whether the work is saved; announced when it changes. */
export function SaveStatus({ work }: { work: JourneyWork }) {
  const isBad = work.error !== undefined;
  const text =
    work.saveState === 'saving'
      ? t.saving
      : (work.error ?? (work.isDirty ? t.unsaved : work.saveState === 'saved' ? t.saved : ''));
  return (
    <span role="status" className={classes.status} data-bad={isBad || undefined}>
      {text}
    </span>
  );
}
