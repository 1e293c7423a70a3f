import { Text } from '@mantine/core';
import { t } from '../../texts/shared.ts';

interface TypedNoticeProps {
  form: { isRestored: boolean };
  text?: string;
}

/** Says that a form contains earlier unsaved input, not what is stored. */
export function TypedNotice({ form: { isRestored }, text = t.draftRestored }: TypedNoticeProps) {
  if (!isRestored || text === '') return null;
  return (
    <Text c="dimmed" role="status">
      {text}
    </Text>
  );
}
