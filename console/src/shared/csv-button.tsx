import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../session/session.tsx';
import { t } from '../texts/reports.ts';
import { ExportIcon } from './icons.tsx';
import { saveFile } from './save-file.ts';

/** What the page shows, as a file: the same numbers and period, every row. */
export function CsvButton({ path, name }: { path: string; name: string }) {
  const api = useApi();
  const save = useMutation({
    mutationFn: () => saveFile(api, path, name),
    onError: ({ message }) => notifications.show({ color: 'red', title: t.csvFailed, message }),
  });
  return (
    <Button variant="default" leftSection={<ExportIcon />} loading={save.isPending} onClick={() => save.mutate()}>
      {t.csv}
    </Button>
  );
}
