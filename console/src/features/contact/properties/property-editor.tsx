import { ActionIcon, Button, Group, Select, Stack, Textarea, TextInput, Tooltip } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/contact.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './properties.module.css';
import { kindOf, readValue, textOf, type ValueKind } from './property-value.ts';

interface EditorProps {
  /** What the value is called. */
  label: string;
  value: unknown;
  isBusy: boolean;
  error: string | undefined;
  onSave: (value: unknown) => void;
  onCancel: () => void;
  onRemove?: () => void;
  /** Before the value: the name of a new property. */
  children?: ReactNode;
}

const kinds = Object.entries(t.valueKinds).map(([value, label]) => ({ value, label }));

/** A value and its kind. Enter saves, Escape leaves it as it was. */
export function PropertyEditor(props: EditorProps) {
  const { label, value, isBusy, error, onSave, onCancel, onRemove, children } = props;
  const [kind, setKind] = useState<ValueKind>(() => kindOf(value));
  const [text, setText] = useState(() => textOf(value));
  const [fault, setFault] = useState<string>();
  const save = () => {
    const read = readValue(text, kind, value);
    if ('fault' in read) return setFault(t.notANumber);
    onSave(read.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <form
      className={classes.editor}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="xs">
        {children}
        <ValueField
          kind={kind}
          label={label}
          text={text}
          error={fault ?? error}
          hasFocus={!children}
          onChange={(next) => {
            setFault(undefined);
            setText(next);
          }}
        />
        <Group gap="xs" wrap="nowrap">
          <Select
            aria-label={t.valueKind}
            data={kinds}
            value={kind}
            allowDeselect={false}
            size="xs"
            w={110}
            onChange={(next) => {
              if (!next) return;
              setKind(next as ValueKind);
              if (next === 'boolean' && text !== 'true') setText('false');
            }}
          />
          <Button type="submit" size="xs" loading={isBusy}>
            {t.save}
          </Button>
          <Button variant="default" size="xs" onClick={onCancel}>
            {words.cancel}
          </Button>
          {onRemove && (
            <Tooltip label={t.remove}>
              <ActionIcon variant="subtle" color="gray" size={30} ml="auto" aria-label={t.remove} onClick={onRemove}>
                <TrashIcon />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  kind: ValueKind;
  label: string;
  text: string;
  error: string | undefined;
  hasFocus: boolean;
  onChange: (text: string) => void;
}

function ValueField({ kind, label, text, error, hasFocus, onChange }: FieldProps) {
  const common = { 'aria-label': label, error, autoFocus: hasFocus };
  if (kind === 'boolean')
    return (
      <Select
        {...common}
        data={[
          { value: 'true', label: t.yes },
          { value: 'false', label: t.no },
        ]}
        value={text === 'true' ? 'true' : 'false'}
        allowDeselect={false}
        onChange={(next) => onChange(next ?? 'false')}
      />
    );
  if (kind === 'list')
    return (
      <Textarea
        {...common}
        rows={4}
        placeholder={t.listHint}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
