// Text that is not being edited: the same marks as in the editor, without one.
import type { BlockContent, ContentSpan, TextSpan } from '@rapport/contract';
import type { CSSProperties, ReactNode } from 'react';
import classes from './text.module.css';

export function ContentView({ content, hint }: { content: BlockContent; hint?: string | undefined }) {
  const isEmpty = content.every(({ spans }) => spans.length === 0);
  const items = content.length > 0 ? content : [{ type: 'paragraph' as const, spans: [] }];
  return (
    <div className={classes.text} data-hint={isEmpty ? hint : undefined}>
      {items.map(({ type, spans }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <p key={at} dir="auto" data-kind={type}>
          <Spans spans={spans} />
          {spans.length === 0 && <br />}
        </p>
      ))}
    </div>
  );
}

function Spans({ spans }: { spans: readonly ContentSpan[] }) {
  return spans.map((span, at) =>
    'text' in span ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name
      <Styled key={at} span={span} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no other name
      <span key={at} className={classes.chip} data-variable={span.variable}>
        {span.default ? `${span.variable} · ${span.default}` : span.variable}
      </span>
    ),
  );
}

function Styled({ span }: { span: TextSpan }): ReactNode {
  const { text, bold, italic, underline, strike, color, href } = span;
  const lines = [underline && 'underline', strike && 'line-through'].filter(Boolean).join(' ');
  const style: CSSProperties = {
    ...(bold ? { fontWeight: 700 } : {}),
    ...(italic ? { fontStyle: 'italic' } : {}),
    ...(lines ? { textDecoration: lines } : {}),
    ...(color ? { color } : {}),
  };
  return (
    <span className={href === undefined ? undefined : classes.link} style={style}>
      {text}
    </span>
  );
}
