// The fields of a form, edited in place. Their order changes by dragging, or with the buttons.
import { ActionIcon, Button, Checkbox, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { formFieldTypes } from '@rapport/contract';
import { useState } from 'react';
import { ArrowDownIcon, ArrowUpIcon, DragIcon, PlusIcon, TrashIcon } from '../../shared/icons.tsx';
import { fieldTypes, t } from '../../texts/forms.ts';
import { added, canAdd, type FieldDraft, type FieldFaults, moved } from './field-drafts.ts';
import classes from './forms.module.css';

interface FieldListProps {
  fields: readonly FieldDraft[];
  /** Of each field; none until they are to be shown. */
  faults: readonly FieldFaults[];
  isReadOnly: boolean;
  onChange: (fields: FieldDraft[]) => void;
}

const types = formFieldTypes.map((value) => ({ value, label: fieldTypes[value] }));

export function FieldList({ fields, faults, isReadOnly, onChange }: FieldListProps) {
  const [dragged, setDragged] = useState<number>();
  const set = (at: number, change: Partial<FieldDraft>) =>
    onChange(fields.map((field, i) => (i === at ? { ...field, ...change } : field)));
  return (
    <Stack gap="xs">
      <ol className={classes.fields} aria-label={t.fields}>
        {fields.map((field, at) => (
          <li
            key={field.key}
            className={classes.field}
            data-dragged={dragged === at || undefined}
            draggable={dragged === at}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              if (dragged === at) return;
              onChange(moved(fields, dragged, at));
              setDragged(at);
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <Order
              {...{ at, fields, isReadOnly, onChange }}
              name={nameOf(field, at)}
              onGrab={(isGrabbed) => setDragged(isGrabbed ? at : undefined)}
            />
            <FieldInputs
              field={field}
              faults={faults[at] ?? {}}
              isReadOnly={isReadOnly}
              onChange={(change) => set(at, change)}
            />
          </li>
        ))}
      </ol>
      {!isReadOnly && canAdd(fields) && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon size={14} />}
            onClick={() => onChange(added(fields))}
          >
            {t.add}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function nameOf({ label }: FieldDraft, at: number): string {
  return label.trim() || t.field(at + 1);
}

interface OrderProps extends Pick<FieldListProps, 'fields' | 'isReadOnly' | 'onChange'> {
  at: number;
  name: string;
  onGrab: (isGrabbed: boolean) => void;
}

/** A form keeps its email field. */
function Order({ at, fields, name, isReadOnly, onChange, onGrab }: OrderProps) {
  if (isReadOnly) return null;
  const button = { variant: 'subtle', color: 'gray', size: 'sm' } as const;
  return (
    <div className={classes.order}>
      <span
        className={classes.grip}
        title={t.dragField(name)}
        aria-hidden
        onPointerDown={() => onGrab(true)}
        onPointerUp={() => onGrab(false)}
      >
        <DragIcon size={16} />
      </span>
      <ActionIcon
        {...button}
        aria-label={t.moveUp(name)}
        disabled={at === 0}
        onClick={() => onChange(moved(fields, at, at - 1))}
      >
        <ArrowUpIcon size={14} />
      </ActionIcon>
      <ActionIcon
        {...button}
        aria-label={t.moveDown(name)}
        disabled={at === fields.length - 1}
        onClick={() => onChange(moved(fields, at, at + 1))}
      >
        <ArrowDownIcon size={14} />
      </ActionIcon>
      {fields[at]?.type !== 'email' && (
        <ActionIcon {...button} aria-label={t.remove(name)} onClick={() => onChange(fields.filter((_, i) => i !== at))}>
          <TrashIcon size={14} />
        </ActionIcon>
      )}
    </div>
  );
}

interface FieldInputsProps {
  field: FieldDraft;
  faults: FieldFaults;
  isReadOnly: boolean;
  onChange: (change: Partial<FieldDraft>) => void;
}

function FieldInputs({ field, faults, isReadOnly, onChange }: FieldInputsProps) {
  const text = (name: 'label' | 'property' | 'options') => ({
    ...{ label: t[name], value: field[name], error: faults[name], readOnly: isReadOnly },
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.inputs}>
      <TextInput {...text('label')} maxLength={200} />
      <Select
        label={t.type}
        data={types}
        value={field.type}
        error={faults.type}
        readOnly={isReadOnly}
        allowDeselect={false}
        onChange={(value) => {
          const type = formFieldTypes.find((one) => one === value);
          if (type) onChange({ type });
        }}
      />
      <TextInput {...text('property')} maxLength={64} spellCheck={false} />
      {field.type !== 'email' && field.type !== 'hidden' && (
        <Checkbox
          className={classes.tick ?? ''}
          label={t.required}
          checked={field.required}
          disabled={isReadOnly}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      )}
      {field.type === 'select' && (
        <Textarea {...text('options')} className={classes.wide ?? ''} description={t.optionsText} rows={3} />
      )}
    </div>
  );
}
