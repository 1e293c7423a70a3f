import { Button, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../shared/copy-button.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { t } from '../../texts/account.ts';
import classes from './account.module.css';

/** Recovery codes, which only this answer shows. A stray click or key does not close it. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.codesTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Text>{t.codesNote}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Group justify="flex-end" gap="xs">
          <CopyButton text={codes.join('\n')} label={t.copyCodes} size="sm" data-autofocus />
          <Button onClick={onClose}>{t.saved}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
