import { Button, Group, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { Modal } from '../../../shared/dialog.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormBody } from '../../../shared/form/form-body.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
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
  const form = useForm({
    draft: 'add-to-list',
    initial: { kind: 'existing' as 'existing' | 'new', staticListId: '', name: '' },
    labels: { name: t.newListName },
    check: ({ kind, staticListId, name }) =>
      kind === 'new' ? { name: wanted(name, t.newListNameWanted) } : { form: wanted(staticListId, t.listWanted) },
    send: ({ kind, staticListId, name }) => onChoose(kind === 'new' ? { name: name.trim() } : { staticListId }),
    onClose: onCancel,
    staysOpen: 'progress',
  });
  const faults = { ...form.faults, form: form.faults.form ?? error?.message };
  return (
    <FormBody form={{ ...form, faults }} submit={t.addToList}>
      <SegmentedControl
        aria-label={t.chooseList}
        value={form.values.kind}
        onChange={(kind) => form.set({ kind })}
        data={[
          { value: 'existing', label: t.existing },
          { value: 'new', label: t.newList },
        ]}
      />
      {form.values.kind === 'new' ? (
        <TextInput {...form.text('name')} maxLength={255} />
      ) : (
        // In its own row: the picker is laid out for one.
        <Group>
          <AssetPicker
            kind="staticListId"
            label={t.chooseList}
            value={form.values.staticListId}
            onChange={(staticListId) => form.set({ staticListId })}
            isReadOnly={false}
          />
        </Group>
      )}
    </FormBody>
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
      <DialogButtons cancel={t.stop} onCancel={onStop} />
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
