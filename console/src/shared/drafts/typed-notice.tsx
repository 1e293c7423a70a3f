import { Text } from '@mantine/core';
import { t } from '../../texts/shared.ts';

/** Says that a form has what somebody wrote earlier, which is not what is stored. */
export function TypedNotice({ form: { isRestored } }: { form: { isRestored: boolean } }) {
  if (!isRestored) return null;
  return (
    <Text c="dimmed" role="status">
      {t.draftRestored}
    </Text>
  );
}
