import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts/contact.ts';
import type { Contact } from '../contact-api.ts';
import { PropertyEditor } from './property-editor.tsx';
import { isKey, isPlatformKey } from './property-value.ts';
import { useSaveProperty } from './use-save-property.ts';

export function NewProperty({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState<string>();
  const save = useSaveProperty(contact.id, onDone);
  const add = (value: unknown) => {
    if (!isKey(key) || isPlatformKey(key)) return setFault(t.keyFault);
    if (Object.hasOwn(contact.properties, key)) return setFault(t.keyTaken);
    save.mutate({ key, value, before: null });
  };
  return (
    <PropertyEditor
      label={t.value}
      value=""
      isBusy={save.isPending}
      error={save.error?.message}
      onSave={add}
      onCancel={onDone}
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
          setKey(event.currentTarget.value.trim());
        }}
      />
    </PropertyEditor>
  );
}
