// What concerns every page: no connection, a slow service, a new version of the console, and a password that is missing.
import { Alert, Button, Group } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { t as words } from '../../texts/shared.ts';
import { t } from '../../texts/shell.ts';
import { PasswordNudge } from './password-nudge.tsx';
import { useIsSlow } from './use-is-slow.ts';
import { useNewBuild } from './use-new-build.ts';

export function Notices() {
  const { online } = useNetwork();
  const isOld = useNewBuild();
  const isSlow = useIsSlow();
  return (
    <>
      {!online && (
        <Alert color="yellow" radius={0} role="status">
          {words.offline}
        </Alert>
      )}
      {online && isSlow && (
        <Alert color="yellow" radius={0} role="status">
          {words.stillLoading}
        </Alert>
      )}
      {isOld && (
        <Alert radius={0} role="status">
          <Group justify="space-between" gap="xs">
            {t.newVersion}
            <Button size="xs" onClick={() => location.reload()}>
              {words.reload}
            </Button>
          </Group>
        </Alert>
      )}
      <PasswordNudge />
    </>
  );
}
