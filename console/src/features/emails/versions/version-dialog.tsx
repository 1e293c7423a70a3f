import { Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../session/session.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { noTransition } from '../../../theme/theme.ts';
import { type Device, DevicePreview, usualDevice } from '../content/device-preview.tsx';
import { fetchVersions, type Version } from '../email-api.ts';
import classes from './version-dialog.module.css';

export function VersionDialog({ version, onClose }: { version: Version | undefined; onClose: () => void }) {
  return (
    <Modal
      opened={version !== undefined}
      onClose={onClose}
      size="xl"
      title={`Version of ${version?.email ?? ''}`}
      {...noTransition}
    >
      {version && <VersionView version={version} />}
    </Modal>
  );
}

function VersionView({ version }: { version: Version }) {
  const api = useApi();
  const { assetId, email, updatedAt } = version;
  const [device, setDevice] = useState<Device>(usualDevice);
  const { data, error } = useQuery({
    queryKey: ['version', assetId, email, updatedAt],
    queryFn: () => fetchVersions(api, { assetId, email }),
  });
  const whole = data?.rows[0];
  if (error) return <ErrorState error={error} compact />;
  if (!data) return <LoadingState label="Loading the version" />;
  if (!whole) return <Text>This version was deleted meanwhile.</Text>;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600}>{whole.subject ?? 'Same subject as the email'}</Text>
        {whole.preheader && <Text c="dimmed">{whole.preheader}</Text>}
      </div>
      <SegmentedControl
        aria-label="Width"
        className={classes.width ?? ''}
        value={device}
        onChange={(value) => setDevice(value as Device)}
        data={[
          { value: 'desktop', label: 'Desktop' },
          { value: 'phone', label: 'Phone' },
        ]}
      />
      <DevicePreview html={whole.html ?? ''} device={device} title={`The version of ${email}`} />
    </Stack>
  );
}
