import { Text, TextInput } from '@mantine/core';
import { createDynamicList, type DataValue, type getDynamicList } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/lists.ts';
import { whole } from '../../../texts/numbers.ts';
import { ListDialog } from '../../audiences/list-dialog.tsx';
import { useBulkAdd } from '../../contacts/selection/use-bulk-add.ts';

const copyOf = (name: string) => t.copyOf(name).slice(0, 255);

interface DuplicateDynamicProps {
  list: DataValue<typeof getDynamicList>;
  onClose: () => void;
}

/** A list with the same filter and folder. */
export function DuplicateDynamicDialog({ list, onClose }: DuplicateDynamicProps) {
  const api = useApi();
  const { filter, directoryId, dynamicListId } = list;
  return (
    <ListDialog
      draft={`copy:dynamic-list:${dynamicListId}`}
      title={t.duplicate}
      initial={{ name: copyOf(list.name ?? ''), description: list.description ?? '' }}
      send={async (name, description) => {
        const body = { name, filter, description: description ?? undefined, folderId: directoryId ?? undefined };
        return (await api.call(createDynamicList, { body })).data;
      }}
      refresh={['dynamic-lists', 'lists']}
      goTo={(copy) => `/lists/dynamic/${copy.dynamicListId}`}
      onClose={onClose}
    />
  );
}

interface DuplicateStaticProps {
  id: string;
  name: string;
  size: number;
  onClose: () => void;
}

/** A static list with the members of another. They are added a thousand at a time: it says how far it is, and closing it stops. */
export function DuplicateStaticDialog({ id, name, size, onClose }: DuplicateStaticProps) {
  const filterText = JSON.stringify({ staticListId: id });
  const { run, progress, stop } = useBulkAdd({ kind: 'all' }, { search: undefined, filterText });
  const form = useForm({
    draft: `copy:static-list:${id}`,
    initial: { name: copyOf(name) },
    labels: { name: t.name },
    check: (values) => ({ name: wanted(values.name, t.nameWanted) }),
    send: (values) => run.mutateAsync({ name: values.name.trim() }),
    goTo: ({ staticListId }) => `/lists/static/${staticListId}`,
    onClose: () => {
      stop();
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t.duplicate} submit={t.duplicate}>
      <Text c="dimmed">{t.duplicateText}</Text>
      <TextInput {...form.text('name')} required maxLength={255} data-autofocus />
      {run.isPending && progress && (
        <Text role="status" className="tabular">
          {t.copying(whole(progress.done), whole(size))}
        </Text>
      )}
    </FormDialog>
  );
}
