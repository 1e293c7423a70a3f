import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/session/session.tsx';
import { DownloadIcon } from '../../shared/icons.tsx';
import { saveFile } from '../../shared/save-file.ts';
import { t } from '../../texts/contacts.ts';
import { compact } from '../../texts/numbers.ts';
import { exportColumns } from './columns/chosen-columns.ts';
import type { Columns } from './columns/use-columns.ts';
import { exportPath } from './export-path.ts';
import type { ContactView } from './use-contact-view.ts';

interface ExportMenuProps {
  view: ContactView;
  columns: Columns;
  fileName?: string;
}

/** Exports the table as a file, with its search and filter. */
export function ExportMenu({ view, columns, fileName = 'contacts.csv' }: ExportMenuProps) {
  const api = useApi();
  const [bytes, setBytes] = useState(0);
  const run = useMutation({
    mutationFn: (names: string | undefined) => {
      setBytes(0);
      return saveFile(api, exportPath(view, names), fileName, { onRead: setBytes });
    },
    onError: ({ message }) =>
      notifications.show({ color: 'red', title: t.exportFailed, message, autoClose: false, withBorder: true }),
  });
  const known = new Set(columns.properties.map(({ key }) => key));
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<DownloadIcon />} disabled={run.isPending}>
          {run.isPending ? t.exporting(`${compact(bytes)}B`) : t.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => run.mutate(exportColumns(columns.ids, known))}>{t.shownColumns}</Menu.Item>
        <Menu.Item onClick={() => run.mutate(undefined)}>{t.allColumns}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
