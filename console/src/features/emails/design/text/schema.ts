// What text may hold: exactly what a block's content can say. Lists are flat, so a list item is a paragraph of another kind.
import { type Extensions, Mark, mergeAttributes, Node, textblockTypeInputRule } from '@tiptap/core';
import { lineOf } from '../model/spans.ts';
import classes from './text.module.css';

const Doc = Node.create({ name: 'doc', topNode: true, content: 'paragraph+' });
const Text = Node.create({ name: 'text', group: 'inline' });

const kindOfElement = (element: HTMLElement) => {
  if (element.tagName !== 'LI') return element.dataset.kind ?? 'paragraph';
  return element.parentElement?.tagName === 'OL' ? 'number' : 'bullet';
};

const Paragraph = Node.create({
  name: 'paragraph',
  group: 'block',
  content: 'inline*',
  addAttributes: () => ({
    kind: {
      default: 'paragraph',
      parseHTML: kindOfElement,
      renderHTML: ({ kind }) => ({ 'data-kind': kind as string }),
    },
  }),
  parseHTML: () => ['p', 'li', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => ({ tag })),
  renderHTML: ({ HTMLAttributes }) => ['p', mergeAttributes(HTMLAttributes, { dir: 'auto' }), 0],
  addInputRules() {
    const rule = (find: RegExp, kind: string) =>
      textblockTypeInputRule({ find, type: this.type, getAttributes: () => ({ kind }) });
    return [rule(/^\s*[-*]\s$/, 'bullet'), rule(/^\s*1[.)]\s$/, 'number')];
  },
  addKeyboardShortcuts() {
    /** A list ends with an empty item, or with Backspace at its start. */
    const leaveList = (isAtStart: boolean) => () => {
      const { $from, empty } = this.editor.state.selection;
      const { attrs, content } = $from.parent;
      if (!empty || attrs.kind === 'paragraph') return false;
      if (isAtStart ? $from.parentOffset > 0 : content.size > 0) return false;
      return this.editor.commands.updateAttributes('paragraph', { kind: 'paragraph' });
    };
    return {
      Enter: leaveList(false),
      Backspace: leaveList(true),
      'Shift-Enter': () => this.editor.commands.insertContent({ type: 'lineBreak' }),
    };
  },
});

const LineBreak = Node.create({
  name: 'lineBreak',
  group: 'inline',
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: 'br' }],
  renderHTML: () => ['br'],
  renderText: () => '\n',
});

/** A variable of the contact: one thing that the cursor steps over. */
const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ variable: { default: '' }, fallback: { default: null }, format: { default: null } }),
  parseHTML: () => [
    {
      tag: 'span[data-variable]',
      getAttrs: ({ dataset }) => ({ variable: dataset.variable, fallback: dataset.fallback ?? null }),
    },
  ],
  renderHTML: ({ node: { attrs } }) => [
    'span',
    {
      class: classes.chip,
      'data-variable': attrs.variable,
      ...(attrs.fallback === null ? {} : { 'data-fallback': attrs.fallback }),
    },
    attrs.fallback ? `${attrs.variable} · ${attrs.fallback}` : attrs.variable,
  ],
  renderText: ({ node: { attrs } }) => `{{${attrs.variable}}}`,
});

const flag = (name: string, tag: string, others: string[], key: string) =>
  Mark.create({
    name,
    parseHTML: () => [tag, ...others].map((each) => ({ tag: each })),
    renderHTML: () => [tag, 0],
    addKeyboardShortcuts() {
      return { [key]: () => this.editor.commands.toggleMark(name) };
    },
  });

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const href = element.getAttribute('href') ?? '';
        return /^(?:https?:|mailto:|tel:)/i.test(href) ? { href } : false;
      },
    },
  ],
  // Not a link to follow while writing: a click puts the cursor there.
  renderHTML: ({ mark }) => ['span', { class: classes.link, title: lineOf(mark.attrs.href) }, 0],
});

/** Not taken from pasted text: the colours of another document are seldom wanted. */
const Color = Mark.create({
  name: 'color',
  addAttributes: () => ({ color: { default: '#000000' } }),
  renderHTML: ({ mark }) => ['span', { style: `color:${mark.attrs.color}` }, 0],
});

export const textExtensions: Extensions = [
  ...[Doc, Text, Paragraph, LineBreak, Variable, Link, Color],
  flag('bold', 'strong', ['b'], 'Mod-b'),
  flag('italic', 'em', ['i'], 'Mod-i'),
  flag('underline', 'u', [], 'Mod-u'),
  flag('strike', 's', ['del', 'strike'], 'Mod-Shift-s'),
];
