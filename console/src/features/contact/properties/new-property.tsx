import { TextInput } from '@mantine/core';
import { isPropertyKey } from '@rapport/contract';
import { useState } from 'react';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { t } from '../../../texts/contact.ts';
import type { Contact } from '../contact-api.ts';
import { PropertyEditor } from './property-editor.tsx';
import { isPlatformKey } from './property-value.ts';
import { useSaveProperty } from './use-save-property.ts';

export function NewProperty({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const form = useTyped(`contact:${contact.id}:new`, { key: '' });
  const { key } = form.values;
  const [fault, setFault] = useState<string>();
  const { save, isBusy, error } = useSaveProperty(contact.id, onDone);
  const add = async (value: unknown) => {
    const wrong = !isPropertyKey(key) || isPlatformKey(key) ? t.keyFault : undefined;
    const refusal = wrong ?? (Object.hasOwn(contact.properties, key) ? t.keyTaken : undefined);
    setFault(refusal);
    const isAdded = refusal === undefined && (await save({ key, value, before: null }));
    if (isAdded) form.forget();
    return isAdded;
  };
  const cancel = () => {
    form.forget();
    onDone();
  };
  return (
    <PropertyEditor
      form={`contact:${contact.id}:new-value`}
      label={t.value}
      value=""
      isBusy={isBusy}
      error={error?.message}
      onSave={add}
      onCancel={cancel}
    >
      <TextInput
        label={t.key}
        placeholder={t.keyExample}
        autoFocus
        autoComplete="off"
        value={key}
        error={fault}
        onChange={(event) => {
          setFault(undefined);
          form.set({ key: event.currentTarget.value.trim() });
        }}
      />
    </PropertyEditor>
  );
}
