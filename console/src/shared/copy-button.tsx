import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../texts/shared.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** False if it could not: without HTTPS a browser may offer no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, label = t.copy, ...look }: { text: string; label?: string } & ButtonProps) {
  const [said, setSaid] = useState<string>();
  const copy = async () => setSaid((await copyText(text)) ? t.copied : t.couldNotCopy);
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
