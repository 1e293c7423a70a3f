import { Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { listVersions } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/versions.ts';
import { type Device, DevicePreview, usualDevice } from '../content/device-preview.tsx';
import type { Version } from '../email-api.ts';
import classes from './version-dialog.module.css';
import { textsOf, WriteVersionDialog } from './write-version-dialog.tsx';

/** Shows a version, and lets those who may rewrite it. */
export function VersionDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const { canWrite } = useRights();
  const [edited, setEdited] = useState<Version>();
  if (edited) {
    const { assetId, contactId, email } = edited;
    const of = { assetId, contact: { id: contactId, email } };
    return <WriteVersionDialog of={of} stored={textsOf(edited)} onClose={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={t.versionOf(version.email)}>
      <VersionView version={version} onEdit={canWrite ? setEdited : undefined} />
      {/* After the preview: Tab would lead out of it, behind the dialog. */}
      <DialogButtons onCancel={onClose} />
    </Modal>
  );
}

interface VersionViewProps {
  version: Version;
  onEdit: ((version: Version) => void) | undefined;
}

function VersionView({ version, onEdit }: VersionViewProps) {
  const api = useApi();
  const { assetId, email, updatedAt } = version;
  const [device, setDevice] = useState<Device>(usualDevice);
  const { data, error } = useQuery({
    ...pageOf(api, listVersions, { query: { assetId, email } }, { assetId, email, updatedAt }),
    // With its HTML; undefined once it is deleted.
    select: ({ rows }) => rows[0] ?? null,
  });
  if (error) return <ErrorState error={error} compact />;
  if (data === undefined) return <LoadingState label={t.loadingVersion} />;
  if (data === null) return <Text>{t.versionGone}</Text>;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600}>{data.subject ?? t.sameSubject}</Text>
        {data.preheader && <Text c="dimmed">{data.preheader}</Text>}
      </div>
      {onEdit && (
        <Button variant="default" className={classes.width ?? ''} onClick={() => onEdit(data)}>
          {words.edit}
        </Button>
      )}
      <SegmentedControl
        aria-label={t.width}
        className={classes.width ?? ''}
        value={device}
        onChange={(value) => setDevice(value as Device)}
        data={[
          { value: 'desktop', label: t.desktop },
          { value: 'phone', label: t.phone },
        ]}
      />
      <DevicePreview html={data.html ?? ''} device={device} title={t.versionTitle(email)} />
    </Stack>
  );
}
