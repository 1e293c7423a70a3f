import { Autocomplete, Select } from '@mantine/core';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/imports.ts';
import {
  type ColumnType,
  columnTypes,
  guessType,
  type Known,
  keyOf,
  type MappedColumn,
  type MappingFault,
  type Target,
} from './mapping.ts';
import classes from './mapping-form.module.css';

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
  { value: 'skip', label: t.intoSkip },
];

export function ColumnRow({ column, fault, known, isDisabled, onChange }: ColumnRowProps) {
  const { name, target, samples } = column;
  const choose = (kind: string | null) => {
    if (kind === 'email' || kind === 'skip') onChange({ kind });
    else if (kind === 'topic')
      onChange({ kind, key: known.topics.size === 1 ? ([...known.topics.keys()][0] ?? '') : '' });
    else onChange({ kind: 'property', key: keyOf(name), type: guessType(samples, known.types.get(keyOf(name))) });
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
        error={target.kind !== 'property' && target.kind !== 'topic' && fault ? t.faults[fault] : undefined}
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
            onChange={(type) => onChange({ ...target, type: (type ?? 'text') as ColumnType })}
          />
        </>
      )}
    </section>
  );
}
