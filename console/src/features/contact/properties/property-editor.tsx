import { ActionIcon, Button, Group, Select, Stack, Textarea, TextInput, Tooltip } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/contact.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from './properties.module.css';
import { kindOf, readValue, textOf, type ValueKind } from './property-value.ts';

interface EditorProps {
  /** Which value of which contact: the key under which input is kept. */
  form: string;
  /** The label of the value. */
  label: string;
  value: unknown;
  isBusy: boolean;
  error: string | undefined;
  /** Resolves once it is saved; false if it was not. */
  onSave: (value: unknown) => Promise<boolean>;
  onCancel: () => void;
  onRemove?: () => Promise<boolean>;
  /** Before the value: the name of a new property. */
  children?: ReactNode;
}

const kinds = Object.entries(t.valueKinds).map(([value, label]) => ({ value, label }));

/** A value and its type. Enter saves, Escape cancels. */
export function PropertyEditor(props: EditorProps) {
  const { label, value, isBusy, error, onSave, onRemove, children } = props;
  const form = useTyped(props.form, { kind: kindOf(value), text: textOf(value) });
  const { kind, text } = form.values;
  const [fault, setFault] = useState<string>();
  const onCancel = () => {
    form.forget();
    props.onCancel();
  };
  /** Refused input stays, to be corrected. */
  const sent = async (sending: Promise<boolean>) => {
    if (await sending) form.forget();
  };
  const save = () => {
    if (isBusy) return;
    const read = readValue(text, kind, value);
    if ('fault' in read) return setFault(t.notANumber);
    void sent(onSave(read.value));
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
        <TypedNotice form={form} />
        {children}
        <ValueField
          kind={kind}
          {...(children ? { label } : { 'aria-label': label })}
          text={text}
          error={fault ?? error}
          hasFocus={!children}
          onChange={(next) => {
            setFault(undefined);
            form.set({ text: next });
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
              form.set({
                kind: next as ValueKind,
                ...(next === 'boolean' && text !== 'true' ? { text: 'false' } : {}),
              });
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
              <ActionIcon
                variant="subtle"
                color="gray"
                size={30}
                ml="auto"
                aria-label={t.remove}
                onClick={() => void sent(onRemove())}
              >
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
  /** Beside the name of a new property; the name itself labels a known one. */
  label?: string;
  'aria-label'?: string;
  text: string;
  error: string | undefined;
  hasFocus: boolean;
  onChange: (text: string) => void;
}

function ValueField({ kind, text, hasFocus, onChange, ...named }: FieldProps) {
  const common = { ...named, autoFocus: hasFocus };
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
