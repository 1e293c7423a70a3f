import { Button, Text, Textarea } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Card } from '../../../shared/card.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { UploadIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/imports.ts';
import type { useImportDraft } from '../use-import-draft.ts';
import classes from './file-picker.module.css';

type ImportDraft = ReturnType<typeof useImportDraft>;

/** A file by drop or choice, or rows copied from a spreadsheet. */
export function FilePicker({ draft, fault }: { draft: ImportDraft; fault: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const { pasted, isGone, choose } = draft;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) choose(file);
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
        <UploadIcon size={28} />
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
            if (file) choose(file);
          }}
        />
        {isGone && (
          <Text c="var(--warn)" role="status">
            {isGone.fileName === undefined ? t.pasteAgain : t.chooseAgain(isGone.fileName)}
          </Text>
        )}
        <Fault text={fault} />
      </div>
      <Card title={t.orPaste}>
        <Textarea
          aria-label={t.paste}
          placeholder={t.pasteHint}
          autosize
          minRows={3}
          maxRows={12}
          value={pasted}
          description={draft.isTooLong ? t.pastedTooLong : undefined}
          inputWrapperOrder={['input', 'description']}
          onChange={(event) => draft.paste(event.currentTarget.value)}
        />
        <Button mt="sm" variant="default" disabled={pasted.trim() === ''} onClick={draft.usePasted}>
          {t.readPasted}
        </Button>
      </Card>
    </>
  );
}
