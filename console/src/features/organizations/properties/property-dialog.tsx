import { Button, Group, Modal, NumberInput, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../../texts/organizations.ts';
import { t as shared } from '../../../texts/shared.ts';
import { noTransition } from '../../../theme/theme.ts';
import { type Entered, enteredOf, isKey, resultOf, valueTypes } from './entered-value.ts';

interface PropertyDialogProps {
  /** Undefined: a new one. */
  property: { key: string; value: unknown } | undefined;
  taken: ReadonlySet<string>;
  onSave: (key: string, value: unknown) => Promise<unknown>;
  onClose: () => void;
}

export function PropertyDialog({ property, taken, onSave, onClose }: PropertyDialogProps) {
  const [key, setKey] = useState(property?.key ?? '');
  const [entered, setEntered] = useState(() => enteredOf(property?.value));
  const [isAsked, setAsked] = useState(false);
  const result = resultOf(entered);
  const keyFault = property ? undefined : !isKey(key) ? t.keyWanted : taken.has(key) ? t.keyTaken : undefined;
  const save = useMutation({
    mutationFn: async () => ('value' in result ? onSave(key, result.value) : undefined),
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!keyFault && 'value' in result) save.mutate();
  };
  const valueFault = 'fault' in result ? (result.fault === 'number' ? t.numberWanted : t.valueWanted) : undefined;
  return (
    <Modal opened onClose={onClose} title={property ? t.editTitle(property.key) : t.addTitle} {...noTransition}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {!property && (
            <TextInput
              label={t.key}
              value={key}
              data-autofocus
              error={isAsked ? keyFault : undefined}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
          )}
          <Select
            label={t.type}
            data={valueTypes.map((type) => ({ value: type, label: t[type] }))}
            value={entered.type}
            allowDeselect={false}
            onChange={(next) => {
              const type = valueTypes.find((each) => each === next);
              if (type) setEntered((old) => ({ ...old, type }));
            }}
          />
          <ValueField entered={entered} onChange={setEntered} error={isAsked ? valueFault : undefined} />
          {save.error && (
            <Text c="var(--bad)" role="alert">
              {save.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
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
