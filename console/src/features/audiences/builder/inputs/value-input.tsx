import { Autocomplete, Button, NumberInput, Select, TagsInput, Text } from '@mantine/core';
import type { Operator } from '@rapport/contract';
import { useState } from 'react';
import { t } from '../../../../texts/filter.ts';
import classes from '../controls.module.css';
import { operatorsOf } from '../model/conditions.ts';
import { type FilterJson, isScalar } from '../model/filter-json.ts';
import { operatorIn, readTyped, type ValueType, wantedBy } from '../model/operators.ts';
import type { Suggestions } from '../suggestions.ts';
import { CountedOption, choicesOf } from './counted-option.tsx';
import { DurationInput } from './duration-input.tsx';
import { TimeInput } from './time-input.tsx';

interface ValueInputProps {
  json: FilterJson;
  types: readonly ValueType[];
  onChange: (json: FilterJson) => void;
  isReadOnly: boolean;
  /** Values that there are, found as one types. */
  useValues: (search: string, enabled: boolean) => Suggestions;
}

/** What the operator of a condition wants, suggested from what is there. */
export function ValueInput(props: ValueInputProps) {
  const { json, onChange, isReadOnly } = props;
  const operator = operatorIn(json, operatorsOf(json));
  if (!operator) return null;
  const value = json[operator];
  const set = (next: unknown) => onChange({ ...json, [operator]: next });
  switch (wantedBy(operator)) {
    case 'flag':
      return null;
    case 'scalar':
    case 'text':
      return <OneValue {...props} operator={operator} value={value} set={set} />;
    case 'scalars':
      return <ManyValues {...props} value={value} set={set} />;
    case 'number':
      return <Amount label={t.value} value={value} set={set} isReadOnly={isReadOnly} />;
    case 'range':
      return <Range value={value} set={set} isReadOnly={isReadOnly} />;
    case 'time':
      return <TimeInput value={value} onChange={set} isReadOnly={isReadOnly} />;
    case 'duration':
      return <DurationInput value={value} onChange={set} isReadOnly={isReadOnly} />;
  }
}

interface Set {
  value: unknown;
  set: (next: unknown) => void;
}

const yesOrNo = [
  { value: 'true', label: t.yes },
  { value: 'false', label: t.no },
];

function OneValue({
  types,
  useValues,
  isReadOnly,
  operator,
  value,
  set,
}: ValueInputProps & Set & { operator: Operator }) {
  const [isOpen, setOpen] = useState(false);
  const isText = wantedBy(operator) === 'text';
  const text = isScalar(value) ? String(value) : '';
  const suggestions = useValues(text, isOpen);
  const isSwitch = !isText && (types[0] === 'boolean' || (typeof value === 'boolean' && types.length === 0));
  if (isSwitch)
    return (
      <Select
        aria-label={t.value}
        className={classes.unit ?? ''}
        data={yesOrNo}
        value={typeof value === 'boolean' ? text : null}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(next) => set(next === 'true')}
      />
    );
  const choose = (next: string) => {
    const known = suggestions.values.find(({ value }) => String(value) === next);
    set(isText ? next : (known?.value ?? readTyped(next, types)));
  };
  return (
    <>
      <Autocomplete
        aria-label={t.value}
        className={classes.value ?? ''}
        placeholder={t.value}
        value={text}
        data={choicesOf(suggestions)}
        renderOption={({ option }) => <CountedOption text={option.value} suggestions={suggestions} />}
        // The API has searched already.
        filter={({ options }) => options}
        disabled={isReadOnly}
        onChange={choose}
        onFocus={() => setOpen(true)}
        maxDropdownHeight={260}
      />
      {!isText && !isReadOnly && <TypeSwitch value={value} types={types} set={set} />}
    </>
  );
}

/** "10" and 10 are two values. Where the data does not say which is meant, the person can. */
function TypeSwitch({ value, types, set }: Set & { types: readonly ValueType[] }) {
  if (typeof value === 'number' && types[0] !== 'number')
    return (
      <Button variant="subtle" size="compact-xs" onClick={() => set(String(value))}>
        {t.asText}
      </Button>
    );
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  if (!isNumeric || types[0] === 'text') return null;
  return (
    <Button variant="subtle" size="compact-xs" onClick={() => set(Number(value))}>
      {t.asNumber}
    </Button>
  );
}

// A mark that people do not type. The field considers a choice picked if another one that differs only in case is; the mark in front distinguishes them.
const mark = '\u2063';
const unmarked = (text: string) => (text.startsWith(mark) ? text.slice(mark.length) : text);

function ManyValues({ types, useValues, isReadOnly, value, set }: ValueInputProps & Set) {
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = Array.isArray(value) ? value.filter(isScalar) : [];
  const texts = chosen.map(String);
  const suggestions = useValues(search, isOpen);
  const read = (text: string) =>
    [...chosen, ...suggestions.values.map(({ value }) => value)].find((each) => String(each) === text) ??
    readTyped(text, types);
  return (
    <TagsInput
      aria-label={t.values}
      className={classes.values ?? ''}
      placeholder={chosen.length === 0 ? t.values : ''}
      value={texts}
      data={choicesOf(suggestions, (text) => !texts.includes(text)).map(({ group, items }) => ({
        group,
        items: items.map((text) => mark + text),
      }))}
      renderOption={({ option }) => <CountedOption text={unmarked(option.value)} suggestions={suggestions} />}
      // "Pro" and "pro" are two values, as they are to the filter.
      isDuplicate={(text, picked) => picked.includes(unmarked(text))}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      disabled={isReadOnly}
      onFocus={() => setOpen(true)}
      onChange={(next) => set(next.map((text) => read(unmarked(text))))}
      maxDropdownHeight={260}
    />
  );
}

function Amount({ label, value, set, isReadOnly }: Set & { label: string; isReadOnly: boolean }) {
  return (
    <NumberInput
      aria-label={label}
      className={classes.short ?? ''}
      placeholder={t.value}
      value={typeof value === 'number' ? value : ''}
      hideControls
      disabled={isReadOnly}
      onChange={(next) => set(typeof next === 'number' ? next : undefined)}
    />
  );
}

function Range({ value, set, isReadOnly }: Set & { isReadOnly: boolean }) {
  const [low, high] = Array.isArray(value) ? value : [undefined, undefined];
  return (
    <div className={classes.pair ?? ''}>
      <Amount label={t.low} value={low} isReadOnly={isReadOnly} set={(next) => set([next, high])} />
      <Text span>{t.and}</Text>
      <Amount label={t.high} value={high} isReadOnly={isReadOnly} set={(next) => set([low, next])} />
    </div>
  );
}
