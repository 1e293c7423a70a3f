// Text in place. Only the block that is being edited has an editor: sixty of them would make every key slow.
import type { Block, BlockContent } from '@rapport/contract';
import { Editor } from '@tiptap/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { StoredBlock } from '../design-api.ts';
import { contentOf, documentOf } from './document.ts';
import { withoutStyles } from './pasted.ts';
import { textExtensions } from './schema.ts';
import classes from './text.module.css';
import { TypedMenu } from './typed-menu.tsx';

interface TextEditorProps {
  content: BlockContent;
  label: string;
  hint?: string | undefined;
  /** Where the pointer was, so that the cursor comes to stand there; the end without. */
  at?: { x: number; y: number } | undefined;
  onChange: (content: BlockContent) => void;
  /** The editor while it is there: for the buttons that style text. */
  onEditor: (editor: Editor | undefined) => void;
  /** Pressed Enter; true if that means something else here than a new line. */
  onEnter?: ((editor: Editor) => boolean) | undefined;
  /** True if the text was taken care of. */
  onPaste?: ((html: string, editor: Editor) => boolean) | undefined;
  /** A block that was chosen from the menu of `/`; undefined where none can follow. */
  onBlock?: ((block: Block, editor: Editor) => void) | undefined;
  /** What that menu has besides the kinds of blocks. */
  saved: readonly StoredBlock[];
  /** Pictures that were pasted. */
  onFiles?: ((files: FileList) => void) | undefined;
  onLeave: () => void;
}

export function TextEditor(props: TextEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const made = useRef<Editor>(undefined);
  const [live, setLive] = useState<Editor>();
  const latest = useRef(props);
  latest.current = props;
  /** What the editor said last: anything else comes from outside, such as an undo. */
  const said = useRef(props.content);
  // Made once; what changes is read through `latest`.
  useEffect(() => {
    const { content, label, at, onEditor } = latest.current;
    const editor = new Editor({
      element: holder.current,
      extensions: textExtensions,
      content: documentOf(content),
      // The policy of the page refuses style sheets that a script adds.
      injectCSS: false,
      // Works out after every key what was deleted, which nobody asks for here.
      enableCoreExtensions: { delete: false },
      editorProps: {
        attributes: { class: classes.text ?? '', role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
        handleKeyDown: (_view, event) => {
          if (event.key === 'Escape') latest.current.onLeave();
          const isEnter = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
          return isEnter && (latest.current.onEnter?.(editor) ?? false);
        },
        transformPastedHTML: withoutStyles,
        handlePaste: (_view, event) => {
          const html = event.clipboardData?.getData('text/html');
          const files = event.clipboardData?.files;
          if (!html && files && files.length > 0 && latest.current.onFiles) {
            latest.current.onFiles(files);
            return true;
          }
          return html ? (latest.current.onPaste?.(html, editor) ?? false) : false;
        },
      },
      onUpdate: () => {
        said.current = contentOf(editor.getJSON());
        showHint(editor, latest.current.hint);
        latest.current.onChange(said.current);
      },
    });
    made.current = editor;
    setLive(editor);
    showHint(editor, latest.current.hint);
    onEditor(editor);
    const spot = at && editor.view.posAtCoords({ left: at.x, top: at.y });
    editor.commands.focus(spot ? spot.pos : 'end', { scrollIntoView: false });
    return () => {
      onEditor(undefined);
      editor.destroy();
    };
  }, []);
  const { content, hint, onBlock, saved } = props;
  const takeBlock = useCallback((block: Block) => made.current && latest.current.onBlock?.(block, made.current), []);
  useEffect(() => {
    const editor = made.current;
    if (!editor || content === said.current) return;
    said.current = content;
    const { from } = editor.state.selection;
    editor.commands.setContent(documentOf(content), { emitUpdate: false });
    editor.commands.setTextSelection(Math.min(from, editor.state.doc.content.size - 1));
    showHint(editor, hint);
  }, [content, hint]);
  return (
    <>
      <div ref={holder} />
      {live && !live.isDestroyed && <TypedMenu editor={live} saved={saved} onBlock={onBlock && takeBlock} />}
    </>
  );
}

function showHint({ view, isEmpty }: Editor, hint: string | undefined): void {
  if (isEmpty && hint !== undefined) view.dom.setAttribute('data-hint', hint);
  else view.dom.removeAttribute('data-hint');
}
