// Text of a block: a view of it, or the editor while it is edited.
import type { Block, BlockContent } from '@rapport/contract';
import type { Editor } from '@tiptap/core';
import { words } from '../../../../texts/designs.ts';
import { plain } from '../model/new-block.ts';
import { type BlockPath, spotOf } from '../model/places.ts';
import { ContentView } from '../text/content-view.tsx';
import { documentOf } from '../text/document.ts';
import { blocksOfHtml, contentOfBlocks } from '../text/pasted.ts';
import { TextEditor } from '../text/text-editor.tsx';
import type { Selection } from '../use-design-editor.ts';
import { useCanvas } from './canvas-context.ts';

interface InPlaceProps {
  path: BlockPath;
  block: Block;
  content: BlockContent;
  editing: Selection | undefined;
  put: (block: Block, content: BlockContent) => Block;
  hint: string;
  /** One paragraph: Enter goes on below it. */
  isTitle?: boolean;
}

export function InPlace({ path, block, content, editing, put, hint, isTitle = false }: InPlaceProps) {
  const { actions, saved } = useCanvas();
  if (!editing)
    return (
      <div data-text>
        <ContentView content={content} hint={hint} />
      </div>
    );
  return (
    <TextEditor
      content={content}
      label={words.textOf(words.titleOf(block.type))}
      hint={hint}
      at={editing.at}
      onChange={(changed) => actions.write(path, changed, put)}
      onEditor={actions.setEditor}
      onEnter={
        isTitle
          ? () => {
              if (block.type === 'heading') actions.goOn(path, [{ type: 'text', content: plain('') }], false);
              return true;
            }
          : undefined
      }
      onPaste={(html, editor) =>
        paste(html, editor, block.type === 'text' ? (blocks) => actions.goOn(path, blocks, editor.isEmpty) : undefined)
      }
      onBlock={block.type === 'text' ? (chosen, editor) => actions.goOn(path, [chosen], editor.isEmpty) : undefined}
      saved={saved.offered}
      onFiles={(files) => {
        const { list, at } = spotOf(path);
        void actions.addPictures(files, { list, at: at + 1 });
      }}
      onLeave={() => actions.select(path)}
    />
  );
}

/** Text goes where the cursor is; what is more than text becomes blocks below, where there may be some. */
function paste(html: string, editor: Editor, goOn: ((blocks: readonly Block[]) => void) | undefined): boolean {
  // What was copied here needs no reading.
  if (html.includes('data-pm-slice')) return false;
  const blocks = blocksOfHtml(html);
  const items = contentOfBlocks(blocks);
  if (items.length === 0) return false;
  if (goOn && !blocks.every(({ type }) => type === 'text')) {
    // What was selected is replaced.
    editor.commands.deleteSelection();
    goOn(blocks);
  } else {
    const lines = documentOf(items).content ?? [];
    const [first] = items;
    const isInline = !goOn || (lines.length === 1 && first?.type === 'paragraph');
    const inline = lines.flatMap(({ content = [] }, at) =>
      at > 0 ? [{ type: 'text', text: ' ' }, ...content] : content,
    );
    editor.commands.insertContent(isInline ? inline : lines);
  }
  return true;
}
