// Small fields that several panels share.
import { Chip, Group, Input, Select, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import type { Next } from '../model/definition.ts';
import { sayStep } from '../model/say.ts';

interface DaysFieldProps {
  value: readonly number[] | undefined;
  onChange: (days: readonly number[] | undefined) => void;
  isReadOnly: boolean;
}

export function DaysField({ value, onChange, isReadOnly }: DaysFieldProps) {
  return (
    <Input.Wrapper label={stepTexts.days} description={stepTexts.daysHint}>
      <Chip.Group
        multiple
        value={(value ?? []).map(String)}
        onChange={(days) => onChange(days.length === 0 ? undefined : days.map(Number).sort())}
      >
        <Group gap={4}>
          {stepTexts.weekdays.map((name, at) => (
            <Chip key={name} value={String(at + 1)} size="xs" disabled={isReadOnly}>
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

const endValue = ':end';

interface WaySelectProps {
  label: string;
  /** The step that leads here. */
  from: string;
  to: Next;
  onChange: (to: Next) => void;
  isReadOnly: boolean;
}

/** Where to go next: another step, even an earlier one, or the end. */
export function WaySelect({ label, from, to, onChange, isReadOnly }: WaySelectProps) {
  const { definition, names } = useCanvasWorld();
  const steps = definition.steps.map((step, at) => {
    const { title, detail } = sayStep(step, names);
    return {
      value: step.id,
      label: `${at + 1}. ${[title, detail].filter(Boolean).join(': ')}`,
      disabled: step.id === from,
    };
  });
  return (
    <Select
      label={label}
      data={[...steps, { value: endValue, label: stepTexts.theEnd }]}
      value={to ?? endValue}
      allowDeselect={false}
      searchable={steps.length > 10}
      readOnly={isReadOnly}
      onChange={(next) => next && onChange(next === endValue ? null : next)}
    />
  );
}

interface OptionalPartProps {
  label: string;
  hint?: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  isReadOnly: boolean;
  children: ReactNode;
}

/** An optional setting: a switch, and its fields below. */
export function OptionalPart({ label, hint, isOn, onToggle, isReadOnly, children }: OptionalPartProps) {
  return (
    <div>
      <Switch
        label={label}
        description={hint}
        checked={isOn}
        disabled={isReadOnly}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      {isOn && <div style={{ marginTop: '0.75rem', display: 'grid', gap: '0.75rem' }}>{children}</div>}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  data: readonly { value: string; label: string }[];
  placeholder: string;
  onChange: (value: string | undefined) => void;
  isReadOnly: boolean;
}

/** One of the workspace's things; a deleted one is marked as such. */
export function AssetSelect({ label, value, data, placeholder, onChange, isReadOnly }: ChoiceProps) {
  const isGone = value !== undefined && value !== '' && !data.some((each) => each.value === value);
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={isGone ? [...data, { value, label: stepTexts.gone }] : [...data]}
      value={value || null}
      searchable
      readOnly={isReadOnly}
      nothingFoundMessage={t.addNothing}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
