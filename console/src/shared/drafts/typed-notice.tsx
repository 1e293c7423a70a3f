import { Text } from '@mantine/core';
import { t } from '../../texts/shared.ts';

interface TypedNoticeProps {
  form: { isRestored: boolean };
  /** One of its fields is never kept. */
  hasSecret?: boolean;
}

/** Says that a form contains earlier unsaved input, not what is stored. */
export function TypedNotice({ form: { isRestored }, hasSecret = false }: TypedNoticeProps) {
  if (!isRestored) return null;
  return (
    <Text c="dimmed" role="status">
      {hasSecret ? `${t.draftRestored} ${t.secretsNotKept}` : t.draftRestored}
    </Text>
  );
}
