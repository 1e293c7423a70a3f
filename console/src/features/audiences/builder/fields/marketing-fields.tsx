import { Button, Checkbox, CloseButton, Text, TextInput } from '@mantine/core';
import { PlusIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { AssetPicker } from '../inputs/asset-picker.tsx';
import { CountInput } from '../inputs/count-input.tsx';
import { WindowInput } from '../inputs/window-input.tsx';
import type { FieldsProps } from './value-fields.tsx';

const narrowings = { emailId: t.email, journeyId: t.journey, linkUrl: t.link } as const;
type Narrowing = keyof typeof narrowings;

/** What happened to mail to a contact; optionally of one email, journey or link. */
export function MarketingFields({ json, onChange, isReadOnly }: FieldsProps) {
  const canBeMachine = json.marketing === 'opened' || json.marketing === 'clicked';
  const names = Object.keys(narrowings) as Narrowing[];
  const isThere = (name: Narrowing) => json[name] !== undefined;
  const { machine: _machine, ...withoutMachine } = json;
  return (
    <>
      <CountInput json={json} onChange={onChange} isReadOnly={isReadOnly} unit={t.times} />
      <WindowInput json={json} onChange={onChange} isReadOnly={isReadOnly} />
      {names.filter(isThere).map((name) => (
        <Narrowed key={name} name={name} json={json} onChange={onChange} isReadOnly={isReadOnly} />
      ))}
      {!isReadOnly &&
        names
          .filter((name) => !isThere(name) && (name !== 'linkUrl' || json.marketing === 'clicked'))
          .map((name) => (
            <Button
              key={name}
              variant="subtle"
              size="compact-sm"
              leftSection={<PlusIcon size={12} />}
              onClick={() => onChange({ ...json, [name]: '' })}
            >
              {narrowings[name]}
            </Button>
          ))}
      {canBeMachine && (
        <Checkbox
          className={classes.check ?? ''}
          label={t.machine}
          checked={json.machine === true}
          disabled={isReadOnly}
          onChange={(event) => onChange(event.currentTarget.checked ? { ...json, machine: true } : withoutMachine)}
        />
      )}
    </>
  );
}

function Narrowed({ name, json, onChange, isReadOnly }: FieldsProps & { name: Narrowing }) {
  const { [name]: value, ...rest } = json;
  const set = (next: string) => onChange({ ...json, [name]: next });
  return (
    <div className={classes.pair}>
      <Text span>{narrowings[name]}</Text>
      {name === 'linkUrl' ? (
        <TextInput
          aria-label={narrowings[name]}
          className={classes.asset ?? ''}
          value={typeof value === 'string' ? value : ''}
          disabled={isReadOnly}
          onChange={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <AssetPicker kind={name} label={narrowings[name]} value={value} onChange={set} isReadOnly={isReadOnly} />
      )}
      {!isReadOnly && <CloseButton aria-label={t.removeWhat(narrowings[name])} onClick={() => onChange(rest)} />}
    </div>
  );
}
