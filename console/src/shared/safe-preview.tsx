// Shows untrusted HTML. It never becomes part of this document: a form posts it to a route whose response is sandboxed, into a frame that is
// sandboxed too. A frame is used once, because a second post would add a history entry.
import { useEffect, useRef } from 'react';
import { previewDocument } from './preview-document.ts';
import classes from './safe-preview.module.css';

let made = 0;

export function SafePreview({ html, title }: { html: string; title: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = holder.current;
    if (!box) return;
    const frame = document.createElement('iframe');
    frame.name = `preview-${++made}`;
    frame.title = title;
    frame.setAttribute('sandbox', '');
    frame.referrerPolicy = 'no-referrer';
    frame.className = classes.frame ?? '';
    const earlier = [...box.children];
    box.append(frame);
    // Only now: the empty document that every frame starts with must not count.
    frame.addEventListener('load', () => {
      for (const old of earlier) old.remove();
      frame.dataset.loaded = 'true';
    });
    postTo(frame.name, previewDocument(html));
  }, [html, title]);
  return <div ref={holder} className={classes.holder} />;
}

function postTo(target: string, html: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/console/preview';
  form.target = target;
  form.hidden = true;
  const field = document.createElement('textarea');
  field.name = 'html';
  field.value = html;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
}
