// The menu that opens while `{{` or `/` is typed. The keyboard stays in the text; arrows choose, Enter takes.

import { Portal } from '@mantine/core';
import { type Block, blockKinds } from '@rapport/contract';
import type { Editor } from '@tiptap/core';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../../texts/designs.ts';
import { t as mail } from '../../../../texts/emails.ts';
import { useVariables } from '../../use-variables.ts';
import type { StoredBlock } from '../design-api.ts';
import { kindsToAdd, newBlock } from '../model/new-block.ts';
import { type Choice, choicesFor, type Trigger, triggerIn } from './trigger.ts';
import classes from './typed-menu.module.css';

interface TypedMenuProps {
  editor: Editor;
  /** Undefined where no block can follow. */
  onBlock: ((block: Block) => void) | undefined;
  saved: readonly StoredBlock[];
}

interface Open extends Trigger {
  at: number;
  left: number;
  top: number;
}

function openIn(editor: Editor): Open | undefined {
  const { $from, empty } = editor.state.selection;
  if (!empty || !editor.isFocused) return undefined;
  const found = triggerIn($from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC'));
  if (!found) return undefined;
  const { left, bottom } = editor.view.coordsAtPos($from.pos);
  return { ...found, at: $from.pos, left, top: bottom + 4 };
}

/** Drawn again when what is typed opens or changes it, not with every key. */
export const TypedMenu = memo(function TypedMenu({ editor, onBlock, saved }: TypedMenuProps) {
  const variables = useVariables();
  const [open, setOpen] = useState<Open>();
  /** Escape closes it, until something else is typed. */
  const [closedAt, setClosedAt] = useState<number>();
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    const look = () => {
      const found = openIn(editor);
      setOpen(found);
      if (!found) setClosedAt(undefined);
      setChosen(0);
    };
    editor.on('transaction', look);
    editor.on('blur', look);
    return () => {
      editor.off('transaction', look);
      editor.off('blur', look);
    };
  }, [editor]);
  const hasBlocks = onBlock !== undefined;
  const all = useMemo((): Record<Trigger['kind'], Choice<string | Block>[]> => {
    const blocks = [
      ...kindsToAdd.map((kind) => ({
        label: blockKinds[kind].title,
        note: blockKinds[kind].text,
        value: newBlock(kind),
      })),
      ...saved.map(({ blockId, name }) => ({
        label: name,
        note: t.savedBlock,
        value: { type: 'saved', blockId } as const,
      })),
    ];
    const names = variables.all.map(({ name, kind }) => ({
      label: name,
      note: kind === 'property' ? mail.property : mail.platform,
      value: name,
    }));
    return { variable: names, block: hasBlocks ? blocks : [] };
  }, [variables.all, hasBlocks, saved]);
  const isClosed = !open || closedAt === open.at - open.length;
  const choices = isClosed ? [] : choicesFor(open.query, all[open.kind]);
  const take = ({ value }: Choice<string | Block>) => {
    if (!open) return;
    const range = { from: open.at - open.length, to: open.at };
    if (typeof value !== 'string') {
      editor.chain().focus().deleteRange(range).run();
      onBlock?.(value);
      return;
    }
    const attrs = { variable: value, fallback: null };
    editor.chain().focus().deleteRange(range).insertContent({ type: 'variable', attrs }).run();
    // A contact may not have it: what to say then is asked at once.
    if (variables.properties.has(value)) editor.commands.setNodeSelection(range.from);
  };
  const latest = useRef({ choices, chosen, take, open });
  latest.current = { choices, chosen, take, open };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const { choices: shown, chosen: at, take: accept, open: now } = latest.current;
      if (shown.length === 0 || !now) return;
      if (event.key === 'ArrowDown') setChosen((at + 1) % shown.length);
      else if (event.key === 'ArrowUp') setChosen((at + shown.length - 1) % shown.length);
      else if (event.key === 'Escape') setClosedAt(now.at - now.length);
      else if (event.key === 'Enter' || event.key === 'Tab') {
        const choice = shown[at];
        if (choice) accept(choice);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the editor sees them.
    const { dom } = editor.view;
    dom.addEventListener('keydown', keys, { capture: true });
    return () => dom.removeEventListener('keydown', keys, { capture: true });
  }, [editor]);
  const hasChoices = choices.length > 0;
  useEffect(() => {
    if (editor.isDestroyed) return;
    const { dom } = editor.view;
    if (hasChoices) dom.setAttribute('aria-activedescendant', `typed-${chosen}`);
    else dom.removeAttribute('aria-activedescendant');
  }, [editor, hasChoices, chosen]);
  if (!open || !hasChoices) return null;
  return (
    <Portal>
      <div
        role="listbox"
        aria-label={t.typedMenu[open.kind]}
        className={classes.menu}
        style={{ left: open.left, top: open.top }}
      >
        {choices.map((choice, at) => (
          <div
            key={JSON.stringify(choice.value)}
            id={`typed-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            className={classes.choice}
            onMouseDown={(event) => {
              event.preventDefault();
              take(choice);
            }}
          >
            {choice.label}
            <span className={classes.note}>{choice.note}</span>
          </div>
        ))}
      </div>
    </Portal>
  );
});
