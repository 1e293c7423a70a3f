// Two people edited the same thing. One dialog for all such cases: who, when, and the differences side by side. No work is discarded unseen.
import { Button, Group, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../texts/shared.ts';
import { Modal } from '../dialog.tsx';
import { LoadingState } from '../loading-state.tsx';
import { Moment } from '../moment.tsx';

const SideBySide = lazy(() => import('../diff/side-by-side.tsx'));

export interface ConflictingField {
  label: string;
  mine: string;
  theirs: string;
}

interface ConflictDialogProps {
  /** What was edited, as in “this email”. */
  what: string;
  /** Who saved first; null if unknown. */
  by: string | null;
  at: string;
  /** Only those that differ. */
  fields: readonly ConflictingField[];
  /** Below the differences: a preview, or a way to copy. */
  children?: ReactNode;
  onKeepEditing: () => void;
  onTakeTheirs: () => void;
  onOverwrite: () => void;
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { what, by, at, fields, children, onKeepEditing, onTakeTheirs, onOverwrite } = props;
  const who = by ?? t.somebodyElse;
  return (
    <Modal opened onClose={onKeepEditing} title={t.savedFirst(who, what)} size="xl">
      <Stack gap="md">
        <Text>
          {t.changedMeanwhile} <Moment at={at} />. {fields.length === 0 ? t.sameContent : t.differsIn(names(fields))}
        </Text>
        {fields.map(({ label, mine, theirs }) => (
          <Suspense key={label} fallback={<LoadingState label={t.loading} rows={2} />}>
            <div>
              <Text fw={500} mb={4}>
                {label}
              </Text>
              <SideBySide left={{ title: t.theirs(who), text: theirs }} right={{ title: t.mine, text: mine }} />
            </div>
          </Suspense>
        ))}
        {children}
        <Group justify="space-between" gap="xs">
          <Button variant="default" onClick={onKeepEditing} data-autofocus>
            {t.keepEditing}
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onTakeTheirs}>
              {t.takeTheirs}
            </Button>
            <Button color="red.8" onClick={onOverwrite}>
              {t.overwrite}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

function names(fields: readonly ConflictingField[]): string {
  return fields.map(({ label }) => label).join(', ');
}
