import { Button } from '@mantine/core';
import { useApi } from '../api/session/session.tsx';
import { t } from '../texts/shared.ts';
import { useAction } from './form/use-action.ts';
import { DownloadIcon } from './icons.tsx';
import { saveFile } from './save-file.ts';

interface Props {
  path: string;
  /** Without it, the service names the file. */
  fileName?: string;
  label: string;
}

/** Downloads a file of the API, which requires a token that a plain link would not carry. */
export function DownloadButton({ path, fileName, label }: Props) {
  const api = useApi();
  const download = useAction({ act: () => saveFile(api, path, fileName), failed: t.downloadFailed });
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
