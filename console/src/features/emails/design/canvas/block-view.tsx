// What a block looks like: as the compiler draws it, near enough that a person sees the email.
import { type Block, type BlockContent, designLimits, socialNetworks } from '@rapport/contract';
import { words } from '../../../../texts/designs.ts';
import { plain } from '../model/new-block.ts';
import type { BlockPath } from '../model/places.ts';
import { contentToLabel, labelToContent } from '../model/spans.ts';
import type { Selection } from '../use-design-editor.ts';
import classes from './canvas.module.css';
import { useCanvas } from './canvas-context.ts';
import { ColumnsView, EachView, IfView } from './holder-views.tsx';
import { ImageView } from './image-view.tsx';
import { InPlace } from './in-place.tsx';
import { Row } from './row.tsx';
import { SavedView } from './saved-view.tsx';

interface BlockViewProps {
  path: BlockPath;
  block: Block;
  selection: Selection | undefined;
}

const headings = {
  1: { fontSize: 30, lineHeight: '38px', padding: '12px 0 8px', letterSpacing: -0.4 },
  2: { fontSize: 22, lineHeight: '30px', padding: '14px 0 4px', letterSpacing: -0.2 },
  3: { fontSize: 18, lineHeight: '26px', padding: '12px 0 2px' },
} as const;

const withContent = (block: Block, content: BlockContent) => ({ ...block, content }) as Block;

export function BlockView({ path, block, selection }: BlockViewProps) {
  const { look } = useCanvas();
  const editing = selection?.path === path && selection.isEditing ? selection : undefined;
  switch (block.type) {
    case 'heading': {
      const { padding, ...style } = headings[block.level];
      return (
        <Row style={{ ...style, padding, fontWeight: 700, textAlign: block.align }}>
          <InPlace
            {...{ path, block, editing }}
            content={block.content}
            put={withContent}
            hint={words.headingHint}
            isTitle
          />
        </Row>
      );
    }
    case 'text': {
      const size = block.size ?? designLimits.textSize.usual;
      const style = { fontSize: size, lineHeight: `${Math.round(size * 1.6)}px`, textAlign: block.align };
      return (
        <Row style={{ ...style, padding: '8px 0' }}>
          <InPlace {...{ path, block, editing }} content={block.content} put={withContent} hint={words.textHint} />
        </Row>
      );
    }
    case 'button':
      return (
        <Row style={{ padding: '12px 0', textAlign: block.align }}>
          <div
            className={classes.button}
            style={{
              ...{ background: look.button, color: look.buttonText, borderRadius: look.radius },
              ...(block.wide ? { width: '100%' } : {}),
            }}
          >
            <InPlace
              {...{ path, block, editing }}
              content={labelToContent(block.label)}
              put={(old, content) => ({ ...old, label: contentToLabel(content) }) as Block}
              hint={words.labelHint}
              isTitle
            />
          </div>
        </Row>
      );
    case 'image':
      return <ImageView block={block} />;
    case 'columns':
      return <ColumnsView path={path} block={block} selection={selection} />;
    case 'divider': {
      const height = block.height ?? designLimits.height.divider;
      return (
        <Row style={{ padding: `${Math.floor((height - 1) / 2)}px 0 ${Math.ceil((height - 1) / 2)}px` }}>
          <div className={classes.line} />
        </Row>
      );
    }
    case 'spacer':
      return <div style={{ height: block.height ?? designLimits.height.spacer }} />;
    case 'social':
      return (
        <Row style={{ padding: '10px 0', textAlign: 'center' }}>
          {block.links.map(({ network }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one network may be there twice
            <span key={at} className={classes.pill}>
              {socialNetworks[network]}
            </span>
          ))}
        </Row>
      );
    case 'html':
      return (
        <Row style={{ padding: '8px 0' }}>
          <pre className={classes.code}>{block.html || words.emptyHtml}</pre>
        </Row>
      );
    case 'footer':
      return (
        <Row style={{ padding: '20px 0 12px', textAlign: 'center', fontSize: 13, lineHeight: '20px' }} isQuiet>
          <InPlace
            {...{ path, block, editing }}
            content={block.content ?? plain('')}
            put={withFooterContent}
            hint={words.footerHint}
          />
          <p className={classes.address}>{block.address || words.noAddress}</p>
          <p className={classes.address}>
            <u>{words.unsubscribe}</u>
          </p>
        </Row>
      );
    case 'saved':
      return <SavedView block={block} />;
    case 'if':
      return <IfView path={path} block={block} selection={selection} />;
    case 'each':
      return <EachView path={path} block={block} selection={selection} />;
  }
}

/** Without words a footer has no content. */
function withFooterContent(block: Block, content: BlockContent): Block {
  if (block.type !== 'footer') return block;
  const { content: _, ...rest } = block;
  return content.some(({ spans }) => spans.length > 0) ? { ...rest, content } : rest;
}
