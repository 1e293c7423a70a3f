// Makes {{ tokens }} and {% tags %} stand out from the HTML around them.
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

const marks = new MatchDecorator({
  regexp: /\{\{[^{}\n]{0,400}\}\}|\{%[^{}\n]{0,400}%\}/g,
  decoration: Decoration.mark({ class: 'cm-token-mark' }),
});

export const tokenMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marks.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = marks.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
