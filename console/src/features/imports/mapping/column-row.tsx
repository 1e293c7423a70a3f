import { Autocomplete, Select, Text } from '@mantine/core';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/imports.ts';
import { detectDates } from '../dates/date-format.ts';
import { DateFormatLine } from './date-format-line.tsx';
import { guessType, keyOf, type MappingFault } from './mapping.ts';
import classes from './mapping-form.module.css';
import { type ColumnType, columnTypes, type Known, type MappedColumn, type Target } from './mapping-target.ts';
import { reasonOfCell, reasons, type StatusReading } from './words.ts';

interface ColumnRowProps {
  column: MappedColumn;
  fault: MappingFault | undefined;
  known: Known;
  isDisabled: boolean;
  onChange: (target: Target) => void;
}

const kinds = [
  { value: 'email', label: t.intoEmail },
  { value: 'property', label: t.intoProperty },
  { value: 'topic', label: t.intoTopic },
  { value: 'list', label: t.intoList },
  { value: 'status', label: t.intoStatus },
  { value: 'skip', label: t.intoSkip },
];

export function ColumnRow({ column, fault, known, isDisabled, onChange }: ColumnRowProps) {
  const { name, target, samples } = column;
  const choose = (kind: string | null) => {
    if (kind === 'email' || kind === 'skip' || kind === 'list') onChange({ kind });
    else if (kind === 'status') {
      const isOfWords = samples.every((cell) => reasonOfCell(cell, 'words') !== undefined);
      onChange({ kind, reading: isOfWords ? 'words' : 'unsubscribed', topicKey: '' });
    } else if (kind === 'topic')
      onChange({ kind, key: known.topics.size === 1 ? ([...known.topics.keys()][0] ?? '') : '' });
    else onChange({ kind: 'property', key: keyOf(name), ...guessType(keyOf(name), samples, known) });
  };
  return (
    <section className={classes.row} aria-label={name} data-skipped={target.kind === 'skip' || undefined}>
      <div className={classes.source}>
        <strong>{name}</strong>
        <span className={classes.samples}>{samples.join(' · ')}</span>
      </div>
      <Select
        aria-label={t.what(name)}
        data={known.topics.size > 0 ? kinds : kinds.filter(({ value }) => value !== 'topic')}
        value={target.kind}
        allowDeselect={false}
        disabled={isDisabled}
        error={target.kind === 'email' && fault ? t.faults[fault] : undefined}
        onChange={choose}
      />
      {target.kind === 'topic' && (
        <Select
          aria-label={t.topic(name)}
          placeholder={t.chooseTopic}
          data={[...known.topics].map(([key, label]) => ({ value: key, label }))}
          value={target.key === '' ? null : target.key}
          allowDeselect={false}
          disabled={isDisabled}
          error={fault ? t.faults[fault] : undefined}
          onChange={(key) => onChange({ kind: 'topic', key: key ?? '' })}
        />
      )}
      {target.kind === 'property' && (
        <>
          <Autocomplete
            aria-label={t.key(name)}
            data={[...known.types.keys()]}
            value={target.key}
            disabled={isDisabled}
            limit={20}
            error={fault ? t.faults[fault] : undefined}
            onChange={(key) => onChange({ ...target, key })}
            rightSectionWidth={52}
            rightSectionPointerEvents="none"
            rightSection={known.types.has(target.key) ? null : <ToneBadge tone="info">{t.isNew}</ToneBadge>}
          />
          <Select
            aria-label={t.typeOf(name)}
            data={columnTypes.map((type) => ({ value: type, label: t.types[type] }))}
            value={target.type}
            allowDeselect={false}
            disabled={isDisabled}
            onChange={(type) => onChange(withType(target, (type ?? 'text') as ColumnType, samples))}
          />
          {target.type === 'date' && (
            <DateFormatLine
              column={name}
              {...{ target, samples, isDisabled }}
              onChange={(format) => onChange({ ...target, format, isSure: true })}
            />
          )}
        </>
      )}
      {target.kind === 'list' && <Text className={classes.hint}>{t.listHint}</Text>}
      {target.kind === 'status' && (
        <>
          <Select
            aria-label={t.statusReading(name)}
            data={[{ value: 'words', label: t.readings.words }].concat(
              reasons.map((value) => ({ value, label: t.readings[value] })),
            )}
            value={target.reading}
            allowDeselect={false}
            disabled={isDisabled}
            onChange={(reading) => onChange({ ...target, reading: (reading ?? 'words') as StatusReading })}
          />
          {known.topics.size > 0 && (
            <Select
              aria-label={t.statusTopic(name)}
              placeholder={t.noTopicForAll}
              data={[...known.topics].map(([value, label]) => ({ value, label }))}
              value={target.topicKey === '' ? null : target.topicKey}
              clearable
              disabled={isDisabled}
              error={fault ? t.faults[fault] : undefined}
              onChange={(topicKey) => onChange({ ...target, topicKey: topicKey ?? '' })}
            />
          )}
        </>
      )}
    </section>
  );
}

function withType(
  target: Extract<Target, { kind: 'property' }>,
  type: ColumnType,
  samples: readonly string[],
): Extract<Target, { kind: 'property' }> {
  const { kind, key } = target;
  if (type !== 'date') return { kind, key, type };
  return { kind, key, type, ...(detectDates(samples, { mayBeNumbers: true }) ?? { format: 'ymd', isSure: true }) };
}
