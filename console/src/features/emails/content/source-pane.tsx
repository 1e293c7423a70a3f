import { Button, Menu } from '@mantine/core';
import { useRef } from 'react';
import { PlusIcon } from '../../../shared/icons.tsx';
import type { Problem, Variable } from '../email-api.ts';
import { SourceEditor, type SourceHandle } from './source-editor.tsx';
import classes from './source-pane.module.css';

interface SourcePaneProps {
  html: string;
  error: string | undefined;
  problems: Problem[];
  variables: Variable[];
  onChange: (html: string) => void;
}

export default function SourcePane({ html, error, problems, variables, onChange }: SourcePaneProps) {
  const editor = useRef<SourceHandle>(null);
  const hasFault = error !== undefined || problems.length > 0;
  return (
    <section aria-label="HTML" className={classes.pane} data-fault={hasFault || undefined}>
      <div className={classes.bar}>
        <h2 className={classes.title}>HTML</h2>
        <VariableMenu variables={variables} onPick={(name) => editor.current?.insert(`{{${name}}}`)} />
      </div>
      <SourceEditor ref={editor} value={html} variables={variables} problems={problems} onChange={onChange} />
      {hasFault && (
        <ul className={classes.problems} aria-label="Problems">
          {error && <li className={classes.refusal}>{error}</li>}
          {problems.map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`}>
              <button type="button" className={classes.place} onClick={() => editor.current?.goTo(line, column)}>
                Line {line}
              </button>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function VariableMenu({ variables, onPick }: { variables: Variable[]; onPick: (name: string) => void }) {
  return (
    <Menu position="bottom-end" width={220} transitionProps={{ duration: 0 }} returnFocus={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<PlusIcon size={13} />}
          disabled={variables.length === 0}
        >
          Insert variable
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.variables ?? ''}>
        {variables.map(({ name, kind }) => (
          <Menu.Item
            key={name}
            onClick={() => onPick(name)}
            rightSection={<span className={classes.kind}>{kind}</span>}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
