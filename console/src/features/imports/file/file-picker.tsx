import { Button, Text, Textarea } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Card } from '../../../shared/card.tsx';
import { ImportIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/imports.ts';
import classes from './file-picker.module.css';

/** A file by drop or choice, or rows that were copied out of a spreadsheet. */
export function FilePicker({ onFile, fault }: { onFile: (file: Blob) => void; fault: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way; the button inside is the other */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-testid="drop"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <ImportIcon size={28} />
        <strong>{t.dropHere}</strong>
        <Text c="dimmed" maw="28rem">
          {t.dropText}
        </Text>
        <Button onClick={() => input.current?.click()} data-shortcut="create">
          {t.choose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={t.file}
          hidden
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) onFile(file);
          }}
        />
        {fault && (
          <Text c="var(--bad)" role="alert">
            {fault}
          </Text>
        )}
      </div>
      <Card title={t.orPaste}>
        <Textarea
          aria-label={t.paste}
          placeholder={t.pasteHint}
          autosize
          minRows={3}
          maxRows={12}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <Button mt="sm" variant="default" disabled={pasted.trim() === ''} onClick={() => onFile(new Blob([pasted]))}>
          {t.readPasted}
        </Button>
      </Card>
    </>
  );
}
