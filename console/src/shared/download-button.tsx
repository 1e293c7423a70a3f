import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api/session/session.tsx';
import { t } from '../texts/shared.ts';
import { DownloadIcon } from './icons.tsx';
import { saveFile } from './save-file.ts';

/** A file of the API, which wants the token that a plain link would not carry. */
export function DownloadButton({ path, fileName, label }: { path: string; fileName: string; label: string }) {
  const api = useApi();
  const download = useMutation({
    mutationFn: () => saveFile(api, path, fileName),
    onError: ({ message }) => notifications.show({ color: 'red', title: t.downloadFailed, message }),
  });
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {label}
    </Button>
  );
}
