import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { ConflictDialog } from '../../../shared/conflict/conflict-dialog.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/audience.ts';
import { t as shared } from '../../../texts/shared.ts';
import { Workbench } from '../live/workbench.tsx';
import classes from './dynamic-list.module.css';
import type { DynamicList } from './list-api.ts';
import { useFilterDraft } from './use-filter-draft.ts';
import { usePointed } from './use-pointed.ts';

/** The filter of a list, with a live preview beside it; saved when the user says so. */
export function FilterTab({ list }: { list: DynamicList }) {
  const { canWrite } = useRights();
  const { param, setParam } = usePageParams();
  const work = useFilterDraft(list);
  const [unfinished, setUnfinished] = useState(0);
  const pointed = usePointed(param('condition'));
  const pretty = (filter: unknown) => JSON.stringify(filter, null, 2);
  return (
    <>
      {work.isRestored && work.isDirty && <Text c="dimmed">{shared.draftRestored}</Text>}
      {canWrite && (
        <div className={classes.saving}>
          <Text c={work.isDirty ? 'var(--warn)' : 'dimmed'} role="status">
            {unfinished > 0 ? t.unfinished(unfinished) : work.isDirty ? t.filterUnsaved : t.filterAsSaved}
          </Text>
          <Group gap="xs">
            {work.isDirty && (
              <Button variant="default" onClick={() => void work.discard()}>
                {t.discard}
              </Button>
            )}
            <Button
              disabled={!work.isDirty || unfinished > 0}
              loading={work.saveState === 'saving'}
              onClick={() => void work.save()}
            >
              {t.save}
            </Button>
          </Group>
        </div>
      )}
      {work.error && (
        <Alert color="red" title={t.notSaved}>
          {work.error}
        </Alert>
      )}
      <div ref={pointed}>
        <Workbench
          place={`dynamic-list:${list.dynamicListId}`}
          filter={work.value}
          onChange={work.change}
          contactId={param('contact')}
          onContact={(id) => setParam('contact', id)}
          isReadOnly={!canWrite}
          onUnfinished={setUnfinished}
        />
      </div>
      {work.theirs && (
        <ConflictDialog
          what={t.what}
          by={work.theirs.by}
          at={work.theirs.stored.list.updatedAt ?? ''}
          fields={[{ label: t.filter, mine: pretty(work.value), theirs: pretty(work.theirs.stored.list.filter) }]}
          onKeepEditing={work.keepEditing}
          onTakeTheirs={work.takeTheirs}
          onOverwrite={() => void work.overwrite()}
        />
      )}
    </>
  );
}
