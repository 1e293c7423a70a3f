import { Alert, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/shared.ts';

/** Shown if an address is invalid: says why, and what to do. */
export function BrokenLink({ why, onStart }: { why: ReactNode; onStart: () => void }) {
  return (
    <Alert color="red" title={t.brokenLink}>
      <Text>{why}</Text>
      <Text my="xs">{t.brokenLinkText}</Text>
      <Button variant="default" onClick={onStart}>
        {t.startWithout}
      </Button>
    </Alert>
  );
}
