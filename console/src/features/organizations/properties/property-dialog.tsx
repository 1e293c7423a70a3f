import { NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { isPropertyKey } from '@rapport/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
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
  const form = useTyped(`organization:${orgId}:${property?.key ?? ''}`, {
    key: property?.key ?? '',
    entered: enteredOf(property?.value),
  });
  const { key, entered } = form.values;
  const setEntered = (next: Entered) => form.set({ entered: next });
  const [isAsked, setAsked] = useState(false);
  const result = resultOf(entered);
  const keyFault = property ? undefined : !isPropertyKey(key) ? t.keyWanted : taken.has(key) ? t.keyTaken : undefined;
  const save = useMutation({
    mutationFn: async () => ('value' in result ? onSave(key, result.value) : undefined),
    onSuccess: () => {
      form.forget();
      onClose();
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (!keyFault && 'value' in result) save.mutate();
  };
  const valueFault = 'fault' in result ? (result.fault === 'number' ? t.numberWanted : t.valueWanted) : undefined;
  return (
    <Modal opened onClose={onClose} title={property ? t.editTitle(property.key) : t.addTitle}>
      <DialogForm
        submit={t.save}
        isBusy={save.isPending}
        fault={save.error?.message}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TypedNotice form={form} />
        {!property && (
          <TextInput
            label={t.key}
            value={key}
            data-autofocus
            error={isAsked ? keyFault : undefined}
            onChange={(event) => form.set({ key: event.currentTarget.value })}
          />
        )}
        <Select
          label={t.type}
          data={valueTypes.map((type) => ({ value: type, label: t[type] }))}
          value={entered.type}
          allowDeselect={false}
          onChange={(next) => {
            const type = valueTypes.find((each) => each === next);
            if (type) setEntered({ ...entered, type });
          }}
        />
        <ValueField entered={entered} onChange={setEntered} error={isAsked ? valueFault : undefined} />
      </DialogForm>
    </Modal>
  );
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
        <Switch
          label={entered.boolean ? t.yes : t.no}
          checked={entered.boolean}
          onChange={(event) => onChange({ ...entered, boolean: event.currentTarget.checked })}
        />
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
