import { Input, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { isPropertyKey } from '@rapport/contract';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/organizations.ts';
import { type Entered, enteredOf, resultOf, valueTypes } from './entered-value.ts';

interface PropertyDialogProps {
  orgId: string;
  /** Undefined: a new one. */
  property: { key: string; value: unknown } | undefined;
  taken: ReadonlySet<string>;
  onSave: (key: string, value: unknown) => Promise<unknown>;
  onClose: () => void;
}

export function PropertyDialog({ orgId, property, taken, onSave, onClose }: PropertyDialogProps) {
  const form = useForm({
    draft: `organization:${orgId}:${property?.key ?? ''}`,
    initial: { key: property?.key ?? '', entered: enteredOf(property?.value) },
    labels: { key: t.key, entered: t.value },
    check: ({ key, entered }) => ({
      key: property ? undefined : !isPropertyKey(key) ? t.keyWanted : taken.has(key) ? t.keyTaken : undefined,
      entered: faultOf(entered),
    }),
    send: async ({ key, entered }) => {
      const result = resultOf(entered);
      if ('value' in result) await onSave(key, result.value);
    },
    refused: ({ message }) => ({ form: message }),
    onClose,
  });
  const { entered } = form.values;
  return (
    <FormDialog form={form} title={property ? t.editTitle(property.key) : t.addTitle} submit={t.save}>
      {!property && <TextInput {...form.text('key')} data-autofocus />}
      <Select
        label={t.type}
        data={valueTypes.map((type) => ({ value: type, label: t[type] }))}
        value={entered.type}
        allowDeselect={false}
        onChange={(type) => type && form.set({ entered: { ...entered, type } })}
      />
      <ValueField entered={entered} onChange={(next) => form.set({ entered: next })} error={form.faults.entered} />
    </FormDialog>
  );
}

function faultOf(entered: Entered): string | undefined {
  const result = resultOf(entered);
  if (!('fault' in result)) return undefined;
  return result.fault === 'number' ? t.numberWanted : t.valueWanted;
}

interface ValueFieldProps {
  entered: Entered;
  onChange: (entered: Entered) => void;
  error: string | undefined;
}

function ValueField({ entered, onChange, error }: ValueFieldProps) {
  switch (entered.type) {
    case 'text':
      return (
        <TextInput
          label={t.value}
          value={entered.text}
          error={error}
          onChange={(event) => onChange({ ...entered, text: event.currentTarget.value })}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={t.value}
          value={entered.number}
          error={error}
          onChange={(number) => onChange({ ...entered, number })}
        />
      );
    case 'boolean':
      return (
        <Input.Wrapper label={t.value} labelElement="div">
          <Switch
            label={entered.boolean ? t.yes : t.no}
            checked={entered.boolean}
            onChange={(event) => onChange({ ...entered, boolean: event.currentTarget.checked })}
          />
        </Input.Wrapper>
      );
    case 'list':
      return (
        <TagsInput
          label={t.value}
          description={t.listText}
          value={[...entered.list]}
          error={error}
          onChange={(list) => onChange({ ...entered, list })}
        />
      );
  }
}
