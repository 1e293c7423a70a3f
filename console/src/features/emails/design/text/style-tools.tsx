// Buttons that style the text which is being edited.
import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import {
  BoldIcon,
  BulletsIcon,
  ItalicIcon,
  LinkIcon,
  NumbersIcon,
  StrikeIcon,
  TagIcon,
  UnderlineIcon,
} from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import { noTransition } from '../../../../theme/theme.ts';
import { lineOf, lineToSpans } from '../model/spans.ts';
import { EditorContext } from './editor-context.ts';
import { FallbackField } from './fallback-field.tsx';

const marks = [
  { name: 'bold', label: t.bold, icon: <BoldIcon size={14} /> },
  { name: 'italic', label: t.italic, icon: <ItalicIcon size={14} /> },
  { name: 'underline', label: t.underline, icon: <UnderlineIcon size={14} /> },
  { name: 'strike', label: t.strike, icon: <StrikeIcon size={14} /> },
] as const;

const lists = [
  { kind: 'bullet', label: t.bullets, icon: <BulletsIcon size={14} /> },
  { kind: 'number', label: t.numbers, icon: <NumbersIcon size={14} /> },
] as const;

export function StyleTools({ hasLists }: { hasLists: boolean }) {
  const editor = useContext(EditorContext);
  const [, setShown] = useState('');
  // Most keys change nothing here.
  useEffect(() => {
    if (!editor) return;
    const redraw = () => setShown(shownOf(editor));
    editor.on('transaction', redraw);
    return () => void editor.off('transaction', redraw);
  }, [editor]);
  if (!editor || editor.isDestroyed) return null;
  const setKind = (kind: string) => {
    const isOn = editor.isActive('paragraph', { kind });
    editor
      .chain()
      .focus()
      .updateAttributes('paragraph', { kind: isOn ? 'paragraph' : kind })
      .run();
  };
  return (
    <>
      {marks.map(({ name, label, icon }) => (
        <Style
          key={name}
          label={label}
          icon={icon}
          isOn={editor.isActive(name)}
          onClick={() => editor.chain().focus().toggleMark(name).run()}
        />
      ))}
      <LinkTool editor={editor} />
      <Style
        label={t.variable}
        icon={<TagIcon size={14} />}
        isOn={editor.isActive('variable')}
        // Opens the menu that typing it opens.
        onClick={() => editor.chain().focus().insertContent('{{').run()}
      />
      {hasLists &&
        lists.map(({ kind, label, icon }) => (
          <Style
            key={kind}
            label={label}
            icon={icon}
            isOn={editor.isActive('paragraph', { kind })}
            onClick={() => setKind(kind)}
          />
        ))}
      <FallbackField editor={editor} />
    </>
  );
}

/** All that these show of the text at the cursor. */
function shownOf(editor: Editor): string {
  const { selection } = editor.state;
  const chosen = selection instanceof NodeSelection ? [selection.from, selection.node.attrs] : [];
  return JSON.stringify([
    ...[...marks, { name: 'link' }, { name: 'variable' }].map(({ name }) => editor.isActive(name)),
    ...lists.map(({ kind }) => editor.isActive('paragraph', { kind })),
    chosen,
  ]);
}

interface StyleProps {
  label: string;
  icon: ReactNode;
  isOn: boolean;
  onClick: () => void;
}

function Style({ label, icon, isOn, onClick }: StyleProps) {
  return (
    <ActionIcon
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? 'iris' : 'gray'}
      size="sm"
      aria-label={label}
      aria-pressed={isOn}
      title={label}
      // The selection stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  );
}

function LinkTool({ editor }: { editor: Editor }) {
  const [draft, setDraft] = useState<string>();
  const isOn = editor.isActive('link');
  const apply = (href: string | undefined) => {
    const chain = editor.chain().focus().extendMarkRange('link');
    if (!href) chain.unsetMark('link').run();
    else if (editor.state.selection.empty && !isOn)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setMark('link', { href: lineToSpans(href) }).run();
    setDraft(undefined);
  };
  return (
    <Popover
      opened={draft !== undefined}
      onDismiss={() => setDraft(undefined)}
      trapFocus
      position="bottom-start"
      width={300}
      {...noTransition}
    >
      <Popover.Target>
        <ActionIcon
          variant={isOn ? 'light' : 'subtle'}
          color={isOn ? 'iris' : 'gray'}
          size="sm"
          aria-label={t.link}
          aria-pressed={isOn}
          title={t.link}
          onClick={() => setDraft(isOn ? lineOf(editor.getAttributes('link').href) : 'https://')}
        >
          <LinkIcon size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            apply(draft?.trim());
          }}
        >
          <TextInput
            label={t.linkTitle}
            value={draft ?? ''}
            onChange={(event) => setDraft(event.currentTarget.value)}
            data-autofocus
          />
          <Group gap="xs" mt="xs" justify="flex-end">
            {isOn && (
              <Button size="compact-sm" variant="default" onClick={() => apply(undefined)}>
                {t.linkRemove}
              </Button>
            )}
            <Button size="compact-sm" type="submit">
              {t.linkApply}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
