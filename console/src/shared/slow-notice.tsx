import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../texts/shared.ts';

const slowAfterMs = 4_000;

/** Says after a while that it is not the person's fault. */
export function SlowNotice() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <Text size="sm" c="dimmed" px="md" pt="sm">
      {t.stillLoading}
    </Text>
  );
}
