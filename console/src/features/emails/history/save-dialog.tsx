// One save: what it changed or how it differs from the current version, side by side, and a way to restore it.

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { getEmailRevision } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import { DevicePreview, usualDevice } from '../content/device-preview.tsx';
import type { Save } from '../email-api.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { RestoreButton } from './restore-button.tsx';
import { changedWords, differencesBetween } from './saved-texts.ts';

const SideBySide = lazy(() => import('../../../shared/diff/side-by-side.tsx'));

interface SaveDialogProps {
  work: EmailDraft;
  revision: number;
  onClose: () => void;
}

export function SaveDialog({ work, revision, onClose }: SaveDialogProps) {
  const { canWrite } = useRights();
  const save = useSave(work.email.id, revision);
  // The one before may have dropped out of the history, or may never have existed.
  const before = useSave(work.email.id, revision - 1);
  const [against, setAgainst] = useState<'before' | 'now' | 'look'>('before');
  return (
    <Modal opened onClose={onClose} size="xl" title={t.saveNo(revision)}>
      {save.error && <ErrorState error={save.error} compact />}
      {save.isLoading && <LoadingState label={words.loading} />}
      {save.data && (
        <Stack gap="md">
          <Text>
            {save.data.savedBy?.name ?? t.somebodyGone}, <Moment at={save.data.savedAt} />: {changedWords(save.data)}
          </Text>
          <SegmentedControl
            aria-label={words.difference}
            value={against}
            onChange={(value) => setAgainst(value as typeof against)}
            data={[
              { value: 'before', label: t.changedHere },
              { value: 'now', label: t.againstNow, disabled: save.data.isCurrent },
              { value: 'look', label: t.preview },
            ]}
          />
          {against === 'before' && !before.isLoading && (
            <Differences save={save.data} other={before.data ?? undefined} isNow={false} />
          )}
          {against === 'now' && <Differences save={save.data} other={work.email} isNow />}
          {against === 'look' && (
            <DevicePreview html={save.data.html} device={usualDevice()} title={t.saveNo(revision)} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              {words.close}
            </Button>
            {canWrite && !save.data.isCurrent && <RestoreButton work={work} revision={revision} onRestored={onClose} />}
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function useSave(id: string, revision: number) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getEmailRevision, { params: { id, revision } }),
    enabled: revision >= 1,
  });
}

interface DifferencesProps {
  save: Save;
  other: Parameters<typeof differencesBetween>[0];
  /** Compared with the current version, which came after it. */
  isNow: boolean;
}

function Differences({ save, other, isNow }: DifferencesProps) {
  const shown = isNow && other ? differencesBetween(save, other) : differencesBetween(other, save);
  const itself = t.saveNo(save.revision);
  const [left, right] = isNow ? [itself, t.current] : [other ? t.saveNo(save.revision - 1) : t.nothingBefore, itself];
  if (shown.length === 0) return <Text c="dimmed">{t.sameAsBefore}</Text>;
  return shown.map(({ label, before, after }) => (
    <div key={label}>
      <Text fw={500} mb={4}>
        {label}
      </Text>
      <Suspense fallback={<LoadingState label={words.loading} rows={2} />}>
        <SideBySide left={{ title: left, text: before }} right={{ title: right, text: after }} />
      </Suspense>
    </div>
  ));
}
