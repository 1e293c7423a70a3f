import { Button, Menu } from '@mantine/core';
import { useRef } from 'react';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/emails.ts';
import { noTransition } from '../../../theme/theme.ts';
import type { Problem, Variable } from '../email-api.ts';
import type { Variables } from '../use-variables.ts';
import { fixOf } from './problems.ts';
import { SourceEditor, type SourceHandle } from './source-editor.tsx';
import classes from './source-pane.module.css';
import { withName } from './tokens.ts';

interface SourcePaneProps {
  html: string;
  error: string | undefined;
  problems: Problem[];
  variables: Variables;
  isReadOnly: boolean;
  onChange: (html: string) => void;
}

export default function SourcePane({ html, error, problems, variables, isReadOnly, onChange }: SourcePaneProps) {
  const editor = useRef<SourceHandle>(null);
  const hasFault = error !== undefined || problems.length > 0;
  return (
    <section aria-label={t.html} className={classes.pane} data-fault={hasFault || undefined}>
      <div className={classes.bar}>
        <h2 className={classes.title}>{t.html}</h2>
        {!isReadOnly && (
          <VariableMenu variables={variables.all} onPick={(name) => editor.current?.insert(`{{${name}}}`)} />
        )}
      </div>
      <SourceEditor
        ref={editor}
        value={html}
        isReadOnly={isReadOnly}
        variables={variables.all}
        problems={problems}
        onChange={onChange}
      />
      {hasFault && (
        <ul className={classes.problems} aria-label={t.problems}>
          {error && <li className={classes.refusal}>{error}</li>}
          {problems.map((problem) => (
            <ProblemRow
              key={`${problem.line}:${problem.column}:${problem.message}`}
              problem={problem}
              names={variables.names}
              onGo={() => editor.current?.goTo(problem.line, problem.column)}
              onMend={isReadOnly ? undefined : (wrong, right) => onChange(withName(html, wrong, right))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ProblemRowProps {
  problem: Problem;
  names: readonly string[];
  onGo: () => void;
  onMend: ((wrong: string, right: string) => void) | undefined;
}

function ProblemRow({ problem, names, onGo, onMend }: ProblemRowProps) {
  const fix = fixOf(problem, names);
  return (
    <li>
      <button type="button" className={classes.place} onClick={onGo}>
        {t.line(problem.line)}
      </button>
      <span>{problem.message}</span>
      {fix && onMend && (
        <button type="button" className={classes.place} onClick={() => onMend(fix.wrong, fix.right)}>
          {t.didYouMean(fix.right)}
        </button>
      )}
    </li>
  );
}

function VariableMenu({ variables, onPick }: { variables: readonly Variable[]; onPick: (name: string) => void }) {
  return (
    <Menu position="bottom-end" width={220} {...noTransition} returnFocus={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<PlusIcon size={13} />}
          disabled={variables.length === 0}
        >
          {t.insertVariable}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.variables ?? ''}>
        {variables.map(({ name, kind }) => (
          <Menu.Item
            key={name}
            onClick={() => onPick(name)}
            rightSection={<span className={classes.kind}>{kind === 'property' ? t.property : t.platform}</span>}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
