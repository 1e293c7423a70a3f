import { Checkbox, Select } from '@mantine/core';
import { Card } from '../../../shared/card.tsx';
import { t } from '../../../texts/imports.ts';
import classes from './mapping-form.module.css';
import type { ForAll, Known } from './mapping-target.ts';

interface ForAllCardProps {
  forAll: ForAll;
  known: Known;
  isDisabled: boolean;
  onChange: (forAll: ForAll) => void;
}

/** What happens to everyone in the file: a list to join, and a topic that all of them agreed to. */
export function ForAllCard({ forAll, known, isDisabled, onChange }: ForAllCardProps) {
  if (known.lists.size === 0 && known.topics.size === 0) return null;
  const options = (names: ReadonlyMap<string, string>) => [...names].map(([value, label]) => ({ value, label }));
  return (
    <Card title={t.forAll}>
      <div className={classes.forAll}>
        {known.lists.size > 0 && (
          <Select
            label={t.addToList}
            placeholder={t.noList}
            data={options(known.lists)}
            value={known.lists.has(forAll.listId) ? forAll.listId : null}
            clearable
            searchable
            disabled={isDisabled}
            onChange={(listId) => onChange({ ...forAll, listId: listId ?? '' })}
          />
        )}
        {known.topics.size > 0 && (
          <Select
            label={t.setTopic}
            placeholder={t.noTopicForAll}
            data={options(known.topics)}
            value={known.topics.has(forAll.topicKey) ? forAll.topicKey : null}
            clearable
            searchable
            disabled={isDisabled}
            onChange={(topicKey) => onChange({ ...forAll, topicKey: topicKey ?? '', isAgreed: false })}
          />
        )}
      </div>
      {forAll.topicKey !== '' && (
        <Checkbox
          mt="md"
          label={t.agreed(known.topics.get(forAll.topicKey) ?? forAll.topicKey)}
          description={t.agreedText}
          checked={forAll.isAgreed}
          disabled={isDisabled}
          onChange={(event) => onChange({ ...forAll, isAgreed: event.currentTarget.checked })}
        />
      )}
    </Card>
  );
}
