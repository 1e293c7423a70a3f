import { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Problem, Variable } from '../email-api.ts';
import { editorState, showProblems, showVariables } from './editor-state.ts';
import { offsetOf } from './offset.ts';
import classes from './source-editor.module.css';

export interface SourceHandle {
  insert(text: string): void;
  goTo(line: number, column: number): void;
}

interface SourceEditorProps {
  ref: Ref<SourceHandle>;
  value: string;
  isReadOnly: boolean;
  variables: readonly Variable[];
  problems: readonly Problem[];
  onChange: (value: string) => void;
}

/** CodeMirror as a React component. It keeps its own text; `value` is only written if it comes from elsewhere. */
export function SourceEditor({ ref, value, isReadOnly, variables, problems, onChange }: SourceEditorProps) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;

  useEffect(() => {
    if (!holder.current) return;
    const onText = (text: string) => {
      told.current = text;
      tell.current(text);
    };
    const made = new EditorView({ parent: holder.current, state: editorState(told.current, isReadOnly, onText) });
    view.current = made;
    return () => made.destroy();
  }, [isReadOnly]);

  useEffect(() => {
    // By identity first: comparing 2 MiB at every keystroke would be noticeable.
    if (!view.current || value === told.current) return;
    told.current = value;
    view.current.dispatch({ changes: { from: 0, to: view.current.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    if (view.current) showVariables(view.current, variables);
  }, [variables]);
  useEffect(() => {
    if (view.current) showProblems(view.current, problems);
  }, [problems]);

  useImperativeHandle(ref, () => ({
    insert: (text) => {
      view.current?.dispatch(view.current.state.replaceSelection(text));
      view.current?.focus();
    },
    goTo: (line, column) => {
      if (!view.current) return;
      const anchor = offsetOf(view.current.state.doc, line, column);
      view.current.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.current.focus();
    },
  }));
  return <div ref={holder} className={classes.editor} />;
}
