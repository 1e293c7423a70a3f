// Start, pause, resume, stop.
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
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
  const toggle = useAction({
    act: async () => {
      await (isPaused ? resume : pause)(api, journeyId);
      await work.reload();
    },
    said: isPaused ? t.resumed : t.paused,
  });
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon size={14} />} loading={toggle.isPending}>
            {isPaused ? t.resumeOrStop : t.pauseOrStop}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={isPaused ? <PlayIcon /> : <PauseIcon />} onClick={() => toggle.mutate()}>
            {isPaused ? t.resume : t.pause}
          </Menu.Item>
          <Menu.Item color="var(--bad)" leftSection={<BlockIcon />} onClick={stop.open}>
            {t.stop}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {stopping && (
        <ConfirmDialog
          title={t.stopTitle}
          text={t.stopText}
          confirm={t.stop}
          act={() => deactivate(api, journeyId)}
          onDone={work.reload}
          said={t.stopped}
          onClose={stop.close}
        />
      )}
    </>
  );
}
