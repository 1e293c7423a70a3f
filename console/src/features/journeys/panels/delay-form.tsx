import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { t } from '../../../texts/journey-steps.ts';
import { DurationField } from '../fields/duration-field.tsx';
import { DaysField } from '../fields/small-fields.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Delay } from '../model/definition.ts';
import type { StepForm } from './step-form.ts';

type Kind = keyof typeof t.waits;

function kindOf(step: Delay): Kind {
  if (step.untilTime !== undefined) return 'untilTime';
  if (step.untilLocal !== undefined) return 'untilLocal';
  return step.untilProperty !== undefined ? 'untilProperty' : 'for';
}

const beginnings: Record<Kind, Partial<Delay>> = {
  for: { for: 'P1D' },
  untilTime: { untilTime: '09:00' },
  untilLocal: { untilLocal: '' },
  untilProperty: { untilProperty: '' },
};

export function DelayForm({ step, isReadOnly, change }: StepForm<Delay>) {
  const kind = kindOf(step);
  const choose = (next: string | null) => {
    if (!next || next === kind) return;
    const { id, type, next: to, spread } = step;
    change({ id, type, next: to, spread, ...beginnings[next as Kind] });
  };
  return (
    <>
      <Select
        label={t.howToWait}
        data={Object.entries(t.waits).map(([value, label]) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={choose}
      />
      {kind === 'for' && (
        <DurationField
          label={t.duration}
          value={step.for}
          isReadOnly={isReadOnly}
          onChange={(value) => change({ ...step, for: value }, 'for')}
        />
      )}
      {kind === 'untilTime' && (
        <>
          <TextInput
            type="time"
            label={t.atTime}
            description={t.atTimeHint}
            value={step.untilTime ?? ''}
            readOnly={isReadOnly}
            onChange={(event) => change({ ...step, untilTime: event.currentTarget.value }, 'untilTime')}
          />
          <DaysField value={step.days} isReadOnly={isReadOnly} onChange={(days) => change({ ...step, days })} />
        </>
      )}
      {kind === 'untilLocal' && (
        <TextInput
          type="datetime-local"
          label={t.atLocal}
          description={t.atLocalHint}
          value={step.untilLocal ?? ''}
          readOnly={isReadOnly}
          onChange={(event) => change({ ...step, untilLocal: event.currentTarget.value }, 'untilLocal')}
        />
      )}
      {kind === 'untilProperty' && (
        <>
          <SuggestField
            of="properties"
            label={t.property}
            value={step.untilProperty ?? ''}
            isReadOnly={isReadOnly}
            onChange={(untilProperty) => change({ ...step, untilProperty }, 'untilProperty')}
          />
          <OffsetField
            value={step.offset}
            isReadOnly={isReadOnly}
            onChange={(offset) => change({ ...step, offset }, 'offset')}
          />
        </>
      )}
      <Spread step={step} isReadOnly={isReadOnly} change={change} />
    </>
  );
}

function Spread({ step, isReadOnly, change }: StepForm<Delay>) {
  if (step.spread === undefined)
    return isReadOnly ? null : (
      <Button variant="subtle" size="xs" color="gray" onClick={() => change({ ...step, spread: 'PT1H' })}>
        {t.noSpread}
      </Button>
    );
  return (
    <div>
      <DurationField
        label={t.spreadLabel}
        hint={t.spreadHint}
        value={step.spread}
        isReadOnly={isReadOnly}
        onChange={(spread) => change({ ...step, spread }, 'spread')}
      />
      {!isReadOnly && (
        <Button variant="subtle" size="xs" color="gray" onClick={() => change({ ...step, spread: undefined })}>
          {t.removeSpread}
        </Button>
      )}
    </div>
  );
}

interface OffsetFieldProps {
  value: string | undefined;
  onChange: (offset: string | undefined) => void;
  isReadOnly: boolean;
}

/** This long before or after a date, or on it. */
export function OffsetField({ value, onChange, isReadOnly }: OffsetFieldProps) {
  const side = !value ? 'on' : value.startsWith('-') ? 'before' : 'after';
  const length = value?.replace(/^[+-]/, '') || 'P1D';
  const set = (next: string, duration: string) =>
    onChange(next === 'on' ? undefined : next === 'before' ? `-${duration}` : duration);
  return (
    <>
      <SegmentedControl
        aria-label={t.offset}
        data={[
          { value: 'before', label: t.beforeIt },
          { value: 'on', label: t.onTheDay },
          { value: 'after', label: t.afterIt },
        ]}
        value={side}
        readOnly={isReadOnly}
        onChange={(next) => set(next, length)}
      />
      {side !== 'on' && (
        <DurationField
          label={t.offset}
          value={length}
          isReadOnly={isReadOnly}
          onChange={(duration) => set(side, duration)}
        />
      )}
    </>
  );
}
