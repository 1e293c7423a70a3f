// Conditions of a few words: lists, journeys, topics, unsubscribing, a share of everybody, members of an organization.

import { Code, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { isObject, journeyStates, topicOperators, topicStates } from '@rapport/contract';
import { t } from '../../../../texts/filter.ts';
import { useBuilder } from '../builder-context.ts';
import classes from '../controls.module.css';
import { AssetPicker } from '../inputs/asset-picker.tsx';
import { CountInput } from '../inputs/count-input.tsx';
import { WindowInput } from '../inputs/window-input.tsx';
import { asFilter, type FilterJson } from '../model/filter-json.ts';
import type { FieldsProps } from './value-fields.tsx';

export function ListFields({
  json,
  onChange,
  isReadOnly,
  kind,
}: FieldsProps & { kind: 'staticListId' | 'dynamicListId' }) {
  return (
    <AssetPicker
      kind={kind}
      label={t.list}
      value={json[kind]}
      isReadOnly={isReadOnly}
      onChange={(id) => onChange({ [kind]: id })}
    />
  );
}

export function UnsubscribedFields({ json, onChange, isReadOnly }: FieldsProps) {
  return (
    <Select
      aria-label={t.state}
      className={classes.asset ?? ''}
      data={[
        { value: 'no', label: t.unsubscribedNo },
        { value: 'yes', label: t.unsubscribedYes },
      ]}
      value={json.unsubscribed === true ? 'yes' : 'no'}
      allowDeselect={false}
      disabled={isReadOnly}
      onChange={(next) => onChange({ unsubscribed: next === 'yes' })}
    />
  );
}

const topicChoices = topicOperators.flatMap((operator) =>
  topicStates.map((state) => ({
    operator,
    state,
    value: `${operator} ${state}`,
    label: t.topicStates[operator][state],
  })),
);

/** Operator and state are one choice: `is subscribed to`, `is not subscribed to`. */
export function TopicFields({ json, onChange, isReadOnly }: FieldsProps) {
  const chosen = topicChoices.find(({ operator, state }) => json[operator] === state);
  return (
    <>
      <Select
        aria-label={t.state}
        className={classes.value ?? ''}
        data={topicChoices.map(({ value, label }) => ({ value, label }))}
        value={chosen?.value ?? null}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(next) => {
          const choice = topicChoices.find(({ value }) => value === next);
          if (choice) onChange({ topic: json.topic, [choice.operator]: choice.state });
        }}
      />
      <AssetPicker
        kind="topic"
        label={t.topic}
        value={json.topic}
        isReadOnly={isReadOnly}
        onChange={(topic) => onChange({ ...json, topic })}
      />
    </>
  );
}

export function JourneyFields({ json, onChange, isReadOnly }: FieldsProps) {
  return (
    <>
      <Select
        aria-label={t.state}
        className={classes.value ?? ''}
        data={journeyStates.map((state) => ({ value: state, label: t.journeyStates[state] }))}
        value={typeof json.state === 'string' ? json.state : null}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(state) => onChange({ ...json, state })}
      />
      <AssetPicker
        kind="journeyId"
        label={t.journey}
        value={json.journeyId}
        isReadOnly={isReadOnly}
        onChange={(journeyId) => onChange({ ...json, journeyId })}
      />
      <WindowInput json={json} onChange={onChange} isReadOnly={isReadOnly} words={['ever', 'last']} />
    </>
  );
}

const bucketNumbers = [
  ['from', t.bucketFrom],
  ['to', t.bucketTo],
  ['of', t.bucketOf],
] as const;

export function BucketFields({ json, onChange, isReadOnly }: FieldsProps) {
  const bucket = isObject(json.bucket) ? json.bucket : {};
  const set = (changes: object) => onChange({ bucket: { ...bucket, ...changes } });
  return (
    <>
      {bucketNumbers.map(([key, label]) => (
        <NumberInput
          key={key}
          label={label}
          className={classes.short ?? ''}
          value={typeof bucket[key] === 'number' ? bucket[key] : ''}
          min={0}
          max={10_000}
          allowDecimal={false}
          hideControls
          disabled={isReadOnly}
          onChange={(next) => set({ [key]: typeof next === 'number' ? next : undefined })}
        />
      ))}
      <TextInput
        label={t.bucketSeed}
        className={classes.short ?? ''}
        value={typeof bucket.seed === 'string' ? bucket.seed : ''}
        disabled={isReadOnly}
        onChange={(event) => set({ seed: event.currentTarget.value })}
      />
    </>
  );
}

export function MembersFields({ json, onChange, isReadOnly }: FieldsProps) {
  const { NestedFilter } = useBuilder();
  const members = isObject(json.orgMembers) ? json.orgMembers : {};
  return (
    <>
      <CountInput
        json={members}
        isReadOnly={isReadOnly}
        unit={t.membersWho}
        words={['atLeast', 'atMost', 'between']}
        onChange={(next) => onChange({ orgMembers: next })}
      />
      <div className={classes.inner}>
        <NestedFilter
          title={t.membersWho(2)}
          filter={asFilter(members.where)}
          subject="contact"
          isWithinMembers
          onChange={(where) => onChange({ orgMembers: { ...members, where } })}
        />
      </div>
    </>
  );
}

/** What this builder has no words for stays what it is. */
export function RawFields({ json }: { json: FilterJson }) {
  return (
    <div className={classes.inner}>
      <Code block>{JSON.stringify(json)}</Code>
      <Text c="dimmed">{t.rawHint}</Text>
    </div>
  );
}
