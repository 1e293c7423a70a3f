import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/shared.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** Copies a text, and says whether it could: without HTTPS a browser may offer no clipboard. */
export function CopyButton({ text, label = t.copy, ...look }: { text: string; label?: string } & ButtonProps) {
  const [said, setSaid] = useState<string>();
  const copy = () =>
    Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid(t.copied),
      () => setSaid(t.couldNotCopy),
    );
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={said === t.copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      {...look}
      onClick={() => void copy()}
      aria-live="polite"
    >
      {said ?? label}
    </Button>
  );
}
