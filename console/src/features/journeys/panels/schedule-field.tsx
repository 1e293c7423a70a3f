import { Select, TextInput } from '@mantine/core';
import { t } from '../../../texts/journey-steps.ts';
import type { Schedule } from '../model/definition.ts';

type Kind = keyof typeof t.schedules;

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
export const zones = (): string[] => Intl.supportedValuesOf('timeZone');

interface ScheduleFieldProps {
  schedule: Schedule | undefined;
  onChange: (schedule: Schedule | undefined) => void;
  isReadOnly: boolean;
}

/** When a batch journey runs. */
export function ScheduleField({ schedule, onChange, isReadOnly }: ScheduleFieldProps) {
  const kind: Kind = schedule?.cron !== undefined ? 'cron' : schedule?.at !== undefined ? 'at' : 'once';
  const choose = (next: string | null) => {
    if (!next || next === kind) return;
    if (next === 'once') onChange(undefined);
    else onChange(next === 'cron' ? { cron: '0 9 * * 1', timeZone: ownZone() } : { at: '' });
  };
  return (
    <>
      <Select
        label={t.schedule}
        data={Object.entries(t.schedules).map(([value, label]) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={choose}
      />
      {kind === 'at' && (
        <TextInput
          type="datetime-local"
          label={t.runAt}
          value={localText(schedule?.at)}
          readOnly={isReadOnly}
          onChange={(event) => onChange({ at: instantText(event.currentTarget.value) })}
        />
      )}
      {kind === 'cron' && (
        <>
          <TextInput
            label={t.cron}
            description={t.cronHint}
            value={schedule?.cron ?? ''}
            readOnly={isReadOnly}
            onChange={(event) => onChange({ ...schedule, cron: event.currentTarget.value })}
          />
          <Select
            label={t.timeZone}
            data={zones()}
            value={schedule?.timeZone ?? null}
            searchable
            limit={100}
            readOnly={isReadOnly}
            onChange={(timeZone) => onChange({ ...schedule, timeZone: timeZone ?? undefined })}
          />
        </>
      )}
    </>
  );
}

/** In the format of the browser's field: local time, to the minute. */
function localText(at: string | undefined): string {
  const moment = at ? new Date(at) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantText(local: string): string {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}
