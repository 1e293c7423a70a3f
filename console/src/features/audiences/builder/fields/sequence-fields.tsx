import { ActionIcon, Button, Checkbox, Select, Text } from '@mantine/core';
import { isObject } from '@rapport/contract';
import { CloseIcon, PlusIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/filter.ts';
import { whole } from '../../../../texts/numbers.ts';
import classes from '../controls.module.css';
import { DurationInput } from '../inputs/duration-input.tsx';
import { EventNameInput } from '../inputs/event-name-input.tsx';
import { WindowInput } from '../inputs/window-input.tsx';
import type { FilterJson } from '../model/filter-json.ts';
import type { FieldsProps } from './value-fields.tsx';
import { WhereFields } from './where-fields.tsx';

const most = 5;
const least = 2;

/** Events one after the other; the last may be one that did not come. */
export function SequenceFields({ json, onChange, isReadOnly }: FieldsProps) {
  const steps = (Array.isArray(json.sequence) ? json.sequence : []).map((step: unknown) =>
    isObject(step) ? step : {},
  );
  const setSteps = (sequence: readonly FilterJson[]) => onChange({ ...json, sequence: tidy(sequence) });
  return (
    <div className={classes.inner}>
      <ol className={classes.steps}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place alone
          <li key={at}>
            <Step
              step={step}
              at={at}
              isLast={at === steps.length - 1}
              isReadOnly={isReadOnly}
              onChange={(next) => setSteps(steps.with(at, next))}
              onRemove={steps.length > least ? () => setSteps(steps.toSpliced(at, 1)) : undefined}
            />
          </li>
        ))}
      </ol>
      <div className={classes.line}>
        {!isReadOnly && steps.length < most && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<PlusIcon size={12} />}
            onClick={() => setSteps([...steps, { event: '', within: 'P7D' }])}
          >
            {t.addStep}
          </Button>
        )}
        <Text span c="dimmed">
          {t.firstStep}
        </Text>
        <WindowInput json={json} onChange={onChange} isReadOnly={isReadOnly} words={['ever', 'last']} />
      </div>
    </div>
  );
}

/** The first step follows nothing, and only the last may be one that did not come. */
function tidy(steps: readonly FilterJson[]): readonly FilterJson[] {
  return steps.map((step, at) => {
    const { within, not, ...rest } = step;
    return {
      ...rest,
      ...(at > 0 && within !== undefined ? { within } : {}),
      ...(not === true && at === steps.length - 1 ? { not } : {}),
    };
  });
}

interface StepProps {
  step: FilterJson;
  at: number;
  isLast: boolean;
  isReadOnly: boolean;
  onChange: (step: FilterJson) => void;
  onRemove: (() => void) | undefined;
}

function Step({ step, at, isLast, isReadOnly, onChange, onRemove }: StepProps) {
  const { within, not: _not, ...rest } = step;
  const eventName = typeof step.event === 'string' ? step.event : '';
  const withWithin = within === undefined ? rest : { ...rest, within };
  return (
    <div className={classes.line}>
      <EventNameInput value={eventName} isReadOnly={isReadOnly} onChange={(event) => onChange({ ...step, event })} />
      {at > 0 && (
        <>
          <Select
            aria-label={t.withinLabel}
            className={classes.word ?? ''}
            data={[
              { value: 'any', label: t.withinAny },
              { value: 'within', label: t.within },
            ]}
            value={within === undefined ? 'any' : 'within'}
            allowDeselect={false}
            disabled={isReadOnly || step.not === true}
            onChange={(next) => onChange(next === 'any' ? rest : { ...step, within: 'P7D' })}
          />
          {within !== undefined && (
            <DurationInput
              value={within}
              isReadOnly={isReadOnly}
              onChange={(next) => onChange({ ...step, within: next })}
            />
          )}
        </>
      )}
      {isLast && (
        <Checkbox
          label={t.didNot}
          checked={step.not === true}
          disabled={isReadOnly}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? { ...rest, within: within ?? 'P7D', not: true } : withWithin)
          }
        />
      )}
      {onRemove && !isReadOnly && (
        <ActionIcon variant="subtle" color="gray" aria-label={t.removeWhat(t.step(whole(at + 1)))} onClick={onRemove}>
          <CloseIcon size={14} />
        </ActionIcon>
      )}
      <WhereFields json={step} onChange={onChange} isReadOnly={isReadOnly} eventName={eventName} />
    </div>
  );
}
