import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../session/session.tsx';
import { ExportIcon } from '../icons.tsx';

/** A file of the API, which wants the token that a plain link would not carry. */
export function DownloadButton({ path, fileName, label }: { path: string; fileName: string; label: string }) {
  const api = useApi();
  const download = useMutation({
    mutationFn: async () => {
      const answer = await api.download(path);
      const address = URL.createObjectURL(await new Response(answer.body).blob());
      const link = Object.assign(document.createElement('a'), { href: address, download: fileName });
      link.click();
      // The browser has taken it by then.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<ExportIcon />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {label}
      </Button>
      {download.error && (
        <Text c="var(--bad)" role="alert">
          {download.error.message}
        </Text>
      )}
    </>
  );
}
