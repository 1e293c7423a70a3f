import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../texts/shared.ts';

/** Says what was done, with a way to undo it. */
export function noticeWithUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <span>{message}</span>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {t.undo}
        </Button>
      </Group>
    ),
    autoClose: 10_000,
  });
}
