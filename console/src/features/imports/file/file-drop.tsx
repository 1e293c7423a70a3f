import { Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../../texts/imports.ts';
import { handedOver } from '../handed-over.ts';
import classes from './file-picker.module.css';

/** Imports a file that is dropped anywhere on the page. */
export function FileDrop() {
  const [isOver, setOver] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent) => {
      if (!hasFile(event)) return;
      // Otherwise the browser would open the file instead of this page.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      handedOver.give(file);
      navigate('/contacts/import');
    };
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name as 'drop', listener);
    };
  }, [navigate]);
  if (!isOver) return null;
  return (
    <div className={classes.dropAnywhere} role="status">
      <Title order={2}>{t.dropAnywhere}</Title>
      <Text c="dimmed">{t.dropHint}</Text>
    </div>
  );
}
