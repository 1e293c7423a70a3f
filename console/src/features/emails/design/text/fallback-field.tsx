// What stands in for a variable that a contact does not have: asked for when the variable is chosen, and whenever it is selected.
import { TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { t } from '../../../../texts/designs.ts';
import classes from './fallback-field.module.css';

export function FallbackField({ editor }: { editor: Editor }) {
  const { selection } = editor.state;
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'variable') return null;
  const { variable, fallback } = selection.node.attrs as { variable: string; fallback: string | null };
  const at = selection.from;
  return (
    <TextInput
      key={at}
      className={classes.field ?? ''}
      size="xs"
      aria-label={t.fallbackOf(variable)}
      placeholder={t.fallback}
      defaultValue={fallback ?? ''}
      autoFocus={fallback === null}
      onChange={({ currentTarget }) => {
        const { tr } = editor.state;
        const attrs = { ...selection.node.attrs, fallback: currentTarget.value || null };
        tr.setNodeMarkup(at, undefined, attrs);
        tr.setSelection(NodeSelection.create(tr.doc, at));
        editor.view.dispatch(tr);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        editor
          .chain()
          .focus()
          .setTextSelection(at + 1)
          .run();
      }}
    />
  );
}
