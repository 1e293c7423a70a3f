// The parts of the source editor.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html, htmlLanguage } from '@codemirror/lang-html';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { t } from '../../../texts/emails.ts';
import { styleNonce } from '../../../theme/style-nonce.ts';
import type { Problem, Variable } from '../email-api.ts';
import { editorLook } from './editor-look.ts';
import { offsetOf } from './offset.ts';
import { completeToken } from './token-completion.ts';
import { tokenMarks } from './token-marks.ts';

const setVariables = StateEffect.define<readonly Variable[]>();
const knownVariables = StateField.define<readonly Variable[]>({
  create: () => [],
  update: (known, { effects }) => effects.find((effect) => effect.is(setVariables))?.value ?? known,
});

export function editorState(doc: string, isReadOnly: boolean, onText: (text: string) => void): EditorState {
  return EditorState.create({
    doc,
    extensions: [
      EditorView.cspNonce.of(styleNonce),
      lineNumbers(),
      lintGutter(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      html({ autoCloseTags: true }),
      knownVariables,
      htmlLanguage.data.of({
        autocomplete: (context: Parameters<typeof completeToken>[1]) =>
          completeToken(context.state.field(knownVariables), context),
      }),
      autocompletion({ icons: false }),
      tokenMarks,
      editorLook,
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      // Tab moves on, as everywhere on the page: the keyboard is not trapped in the editor.
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      // An editable element is focusable anyway; stated explicitly for page checkers.
      EditorView.contentAttributes.of({ 'aria-label': t.htmlSource, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onText(update.state.doc.toString());
      }),
    ],
  });
}

export function showVariables(view: EditorView, variables: readonly Variable[]): void {
  view.dispatch({ effects: setVariables.of(variables) });
}

/** From the start of a problem to the end of its token, or of its word. */
export function showProblems(view: EditorView, problems: readonly Problem[]): void {
  const { doc } = view.state;
  const diagnostics = problems.map(({ line, column, message }) => {
    const from = offsetOf(doc, line, column);
    const rest = doc.sliceString(from, doc.lineAt(from).to);
    const length = /^(\{\{.*?\}\}|\{%.*?%\}|[\w.]+)/.exec(rest)?.[0].length ?? 1;
    return { from, to: Math.min(doc.length, from + length), severity: 'error' as const, message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
