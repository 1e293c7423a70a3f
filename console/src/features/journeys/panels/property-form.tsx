import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { t } from '../../../texts/journey-steps.ts';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { UpdateProperty } from '../model/definition.ts';
import type { StepForm } from './step-form.ts';

type Kind = keyof typeof t.valueKinds;

function kindOf(value: unknown): Kind {
  if (value === null) return 'none';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as Kind;
  return typeof value === 'object' ? 'entry' : 'text';
}

const beginnings: Record<Kind, unknown> = { text: '', number: 0, boolean: true, entry: { entry: '' }, none: null };

export function PropertyForm({ step, isReadOnly, change }: StepForm<UpdateProperty>) {
  const kind = kindOf(step.value);
  return (
    <>
      <SuggestField
        of="properties"
        label={t.property}
        value={step.property ?? ''}
        isReadOnly={isReadOnly}
        onChange={(property) => change({ ...step, property }, 'property')}
      />
      <Select
        label={t.valueKind}
        data={Object.entries(t.valueKinds).map(([value, label]) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => next && next !== kind && change({ ...step, value: beginnings[next as Kind] })}
      />
      <ValueField
        kind={kind}
        value={step.value}
        isReadOnly={isReadOnly}
        onChange={(value) => change({ ...step, value }, 'value')}
      />
    </>
  );
}

interface ValueFieldProps {
  kind: Kind;
  value: unknown;
  isReadOnly: boolean;
  onChange: (value: unknown) => void;
}

function ValueField({ kind, value, isReadOnly, onChange }: ValueFieldProps) {
  switch (kind) {
    case 'none':
      return null;
    case 'number':
      return (
        <NumberInput
          label={t.value}
          value={typeof value === 'number' ? value : 0}
          readOnly={isReadOnly}
          onChange={(next) => typeof next === 'number' && onChange(next)}
        />
      );
    case 'boolean':
      return (
        <SegmentedControl
          aria-label={t.value}
          data={[
            { value: 'true', label: t.yes },
            { value: 'false', label: t.no },
          ]}
          value={String(value)}
          readOnly={isReadOnly}
          onChange={(next) => onChange(next === 'true')}
        />
      );
    case 'entry':
      return (
        <TextInput
          label={t.entryPath}
          description={t.entryPathHint}
          value={pathText(value)}
          readOnly={isReadOnly}
          onChange={(event) => onChange({ entry: pathOf(event.currentTarget.value) })}
        />
      );
    case 'text':
      return (
        <TextInput
          label={t.value}
          value={typeof value === 'string' ? value : ''}
          readOnly={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

const pathText = (value: unknown): string =>
  [(value as { entry?: string | string[] } | null)?.entry ?? ''].flat().join('.');
const pathOf = (text: string): string | string[] => (text.includes('.') ? text.split('.') : text);
