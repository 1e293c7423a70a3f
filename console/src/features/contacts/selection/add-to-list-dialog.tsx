import { Button, Group, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Modal } from '../../../shared/dialog.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { t } from '../../../texts/contacts.ts';
import { whole } from '../../../texts/numbers.ts';
import { t as shared } from '../../../texts/shared.ts';
import { AssetPicker } from '../../audiences/builder/inputs/asset-picker.tsx';
import type { ContactView } from '../use-contact-view.ts';
import type { Progress as Step } from './bulk-add.ts';
import { type Selection, sizeOf } from './selection.ts';
import { type Added, type Target, useBulkAdd } from './use-bulk-add.ts';

interface AddToListProps {
  selection: Selection;
  total: number;
  view: ContactView;
  onClose: () => void;
  onDone: () => void;
}

export function AddToListDialog({ selection, total, view, onClose, onDone }: AddToListProps) {
  const { run, progress, stop } = useBulkAdd(selection, view);
  const size = sizeOf(selection, total);
  const leave = () => {
    stop();
    if (run.isSuccess) onDone();
    onClose();
  };
  return (
    <Modal opened onClose={leave} title={t.addPeople(size)} closeOnClickOutside={!run.isPending}>
      {run.data ? (
        <Done added={run.data} onClose={leave} />
      ) : run.isPending ? (
        <Running step={progress} size={size} onStop={stop} />
      ) : (
        <Choose onChoose={(target) => run.mutate(target)} onCancel={leave} error={run.error} />
      )}
    </Modal>
  );
}

interface ChooseProps {
  onChoose: (target: Target) => void;
  onCancel: () => void;
  error: Error | null;
}

function Choose({ onChoose, onCancel, error }: ChooseProps) {
  const form = useTyped('add-to-list', { kind: 'existing' as 'existing' | 'new', staticListId: '', name: '' });
  const { kind, staticListId, name } = form.values;
  const [isAsked, setAsked] = useState(false);
  const isMissing = kind === 'new' ? name.trim() === '' : staticListId === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isMissing) return;
    form.forget();
    onChoose(kind === 'new' ? { name: name.trim() } : { staticListId });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SegmentedControl
          aria-label={t.chooseList}
          value={kind}
          onChange={(next) => form.set({ kind: next === 'new' ? 'new' : 'existing' })}
          data={[
            { value: 'existing', label: t.existing },
            { value: 'new', label: t.newList },
          ]}
        />
        {kind === 'new' ? (
          <TextInput
            label={t.newListName}
            value={name}
            maxLength={255}
            error={isAsked && isMissing ? t.newListNameWanted : undefined}
            onChange={(event) => form.set({ name: event.currentTarget.value })}
          />
        ) : (
          // Side by side with nothing: the picker is made for a row.
          <Group>
            <AssetPicker
              kind="staticListId"
              label={t.chooseList}
              value={staticListId}
              onChange={(id) => form.set({ staticListId: id })}
              isReadOnly={false}
            />
          </Group>
        )}
        {(error || (isAsked && isMissing && kind === 'existing')) && (
          <Text c="var(--bad)" role="alert">
            {error ? error.message : t.listWanted}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {shared.cancel}
          </Button>
          <Button type="submit">{t.addToList}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function Running({ step, size, onStop }: { step: Step | undefined; size: number; onStop: () => void }) {
  const done = step?.done ?? 0;
  const say = step?.step === 'adding' ? t.adding : t.reading;
  return (
    <Stack gap="md">
      <Text role="status" className="tabular">
        {say(whole(done), whole(size))}
      </Text>
      <Progress value={size === 0 ? 100 : Math.min(100, (done / size) * 100)} aria-label={t.addToList} animated />
      <Group justify="flex-end">
        <Button variant="default" onClick={onStop}>
          {t.stop}
        </Button>
      </Group>
    </Stack>
  );
}

function Done({ added, onClose }: { added: Added; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text role="status">
        {added.isStopped ? t.stopped(added.added) : t.addedNow(added.added)}{' '}
        {added.alreadyMembers > 0 && t.alreadyThere(added.alreadyMembers)}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" component={Link} href={`/lists/static/${added.staticListId}`}>
          {t.openList}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {shared.close}
        </Button>
      </Group>
    </Stack>
  );
}
