// @vitest-environment happy-dom
import type { BlockContent } from '@rapport/contract';
import { Editor } from '@tiptap/core';
import { expect, it } from 'vitest';
import { contentOf, documentOf } from './document.ts';
import { textExtensions } from './schema.ts';

const editorOf = (content: BlockContent) =>
  new Editor({ element: null, extensions: textExtensions, content: documentOf(content), injectCSS: false });

const everything: BlockContent = [
  {
    type: 'paragraph',
    spans: [{ text: 'Hello ' }, { variable: 'first_name', default: 'you', format: 'upper' }, { text: '!' }],
  },
  {
    type: 'bullet',
    spans: [
      { text: 'one', bold: true, italic: true },
      { text: ' and ', strike: true, underline: true },
    ],
  },
  {
    type: 'number',
    spans: [
      { text: 'a link', href: 'https://example.com' },
      { text: 'red', color: '#ff0000' },
    ],
  },
  { type: 'paragraph', spans: [{ text: 'two\nlines' }] },
  { type: 'paragraph', spans: [{ text: 'to ', href: [{ text: 'https://a.example/' }, { variable: 'plan' }] }] },
  { type: 'paragraph', spans: [] },
];

it('keeps everything that content can say', () => {
  const editor = editorOf(everything);
  expect(contentOf(editor.getJSON())).toEqual(everything);
});

it('has a line to write in where there is no content', () => {
  expect(contentOf(editorOf([]).getJSON())).toEqual([{ type: 'paragraph', spans: [] }]);
});

it('joins neighbours that look the same, and no others', () => {
  const editor = editorOf([{ type: 'paragraph', spans: [{ text: 'a' }, { text: 'b' }, { text: 'c', bold: true }] }]);
  expect(contentOf(editor.getJSON())).toEqual([
    { type: 'paragraph', spans: [{ text: 'ab' }, { text: 'c', bold: true }] },
  ]);
});

it('toggles what is selected', () => {
  const editor = editorOf([{ type: 'paragraph', spans: [{ text: 'one two' }] }]);
  editor.chain().setTextSelection({ from: 1, to: 4 }).toggleMark('bold').run();
  editor.commands.updateAttributes('paragraph', { kind: 'bullet' });
  expect(contentOf(editor.getJSON())).toEqual([
    { type: 'bullet', spans: [{ text: 'one', bold: true }, { text: ' two' }] },
  ]);
});
