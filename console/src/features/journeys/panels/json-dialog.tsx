import { Textarea } from '@mantine/core';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as words } from '../../../texts/shared.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { readDefinition } from '../model/read.ts';
import { sameText } from '../model/same-json.ts';
import codes from './json-field.module.css';
import { objectOf } from './json-field.tsx';

interface JsonDialogProps {
  work: JourneyWork;
  isReadOnly: boolean;
  onClose: () => void;
}

/** The definition as the API has it, for rare settings and for pasting a whole one. */
export function JsonDialog({ work, isReadOnly, onClose }: JsonDialogProps) {
  const shown = work.problem === undefined ? work.written : (work.journey.definition ?? {});
  const form = useTyped(`journey-json:${work.journey.journeyId}`, { text: sameText(shown, 2) });
  const { text } = form.values;
  const isTouched = text !== sameText(shown, 2);
  const close = () => {
    form.forget();
    onClose();
  };
  const value = objectOf(text);
  const read = value === 'bad' ? undefined : readDefinition(value ?? {});
  const problem = read === undefined ? t.jsonBad : 'problem' in read ? t.undrawableText(read.problem) : undefined;
  return (
    <Modal
      opened
      onClose={close}
      // A stray click or key must not discard a whole definition.
      closeOnClickOutside={!isTouched}
      closeOnEscape={!isTouched}
      title={t.jsonTitle}
      size="xl"
    >
      <TypedNotice form={form} />
      <Textarea
        aria-label={t.jsonTitle}
        data-autofocus
        autosize
        minRows={14}
        maxRows={26}
        value={text}
        readOnly={isReadOnly}
        spellCheck={false}
        classNames={{ input: codes.code ?? '' }}
        onChange={(event) => form.set({ text: event.currentTarget.value })}
      />
      <DialogButtons
        fault={problem}
        cancel={words.close}
        onCancel={close}
        {...(isReadOnly ? {} : { confirm: t.jsonApply })}
        onConfirm={() => {
          if (read && 'definition' in read) work.edit(read.definition);
          close();
        }}
        isDisabled={problem !== undefined}
      />
    </Modal>
  );
}
