// Start, hold, go on, stop.
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { BlockIcon, ChevronDownIcon, PauseIcon, PlayIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { deactivate, pause, resume } from '../journey-api.ts';

export function LifeActions({ work, onActivate }: { work: JourneyWork; onActivate: () => void }) {
  const { status } = work.journey;
  if (status !== 'active')
    return (
      <Button leftSection={<PlayIcon size={14} />} onClick={onActivate} disabled={work.saveState === 'saving'}>
        {status === 'draft' ? t.activate : t.activateAgain}
      </Button>
    );
  return <ActiveActions work={work} />;
}

function ActiveActions({ work }: { work: JourneyWork }) {
  const api = useApi();
  const { journeyId, isPaused } = work.journey;
  const [stopping, stop] = useDisclosure(false);
  const change = useMutation({
    mutationFn: async ({ act, said }: { act: typeof pause | typeof deactivate; said: string }) => {
      await act(api, journeyId);
      await work.reload();
      return said;
    },
    onSuccess: (said) => {
      stop.close();
      notifications.show({ message: said });
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  });
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon size={14} />} loading={change.isPending}>
            {isPaused ? t.status.paused : t.status.active}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isPaused ? (
            <Menu.Item leftSection={<PlayIcon />} onClick={() => change.mutate({ act: resume, said: t.resumed })}>
              {t.resume}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<PauseIcon />} onClick={() => change.mutate({ act: pause, said: t.paused })}>
              {t.pause}
            </Menu.Item>
          )}
          <Menu.Item color="var(--bad)" leftSection={<BlockIcon />} onClick={stop.open}>
            {t.stop}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={stopping}
        title={t.stopTitle}
        text={t.stopText}
        confirm={t.stop}
        busy={change.isPending}
        error={change.error}
        onCancel={stop.close}
        onConfirm={() => change.mutate({ act: deactivate, said: t.stopped })}
      />
    </>
  );
}
