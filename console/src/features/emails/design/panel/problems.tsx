// What is wrong with the design, each with a way to its place.
import type { Design, DesignProblem } from '@rapport/contract';
import { memo } from 'react';
import { AlertIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import { nameOf } from '../model/outline.ts';
import { type BlockPath, blockAt, blockOfPlace } from '../model/places.ts';
import type { Compiled } from '../use-compiled.ts';
import type { SavedBlocks } from '../use-saved-blocks.ts';
import classes from './problems.module.css';

interface DesignProblemsProps {
  design: Design;
  compiled: Compiled;
  saved: SavedBlocks;
  /** Why it was not saved. */
  error: string | undefined;
  onGo: ((path: BlockPath) => void) | undefined;
  onTheme: (() => void) | undefined;
}

/** Drawn again when the design was compiled again, not with every key. */
export const DesignProblems = memo(function DesignProblems(props: DesignProblemsProps) {
  const { design, compiled, saved, error, onGo, onTheme } = props;
  const { problems = [] } = compiled;
  const failure = compiled.error?.message;
  if (problems.length === 0 && !error && !failure)
    return compiled.problems && <p className={classes.fine}>{t.noProblems}</p>;
  return (
    <section aria-label={t.problems(problems.length)} className={classes.box}>
      <h2 className={classes.title}>{t.problems(problems.length)}</h2>
      <ul className={classes.list}>
        {failure && <li>{failure}</li>}
        {error && problems.length === 0 && <li>{error}</li>}
        {problems.map((problem) => (
          <ProblemRow key={`${problem.place}:${problem.message}`} {...{ problem, design, saved, onGo, onTheme }} />
        ))}
      </ul>
    </section>
  );
}, isSame);

function isSame(one: DesignProblemsProps, { compiled, saved, error, onGo, onTheme }: DesignProblemsProps): boolean {
  return (
    one.compiled.problems === compiled.problems &&
    one.compiled.error === compiled.error &&
    one.saved === saved &&
    one.error === error &&
    one.onGo === onGo &&
    one.onTheme === onTheme
  );
}

interface ProblemRowProps extends Pick<DesignProblemsProps, 'design' | 'saved' | 'onGo' | 'onTheme'> {
  problem: DesignProblem;
}

function ProblemRow({ problem: { place, severity, message }, design, saved, onGo, onTheme }: ProblemRowProps) {
  const path = blockOfPlace(design, place);
  const block = path && blockAt(design, path);
  const isTheme = place.startsWith('design.theme');
  const go = path && onGo ? () => onGo(path) : isTheme ? onTheme : undefined;
  const name = block ? nameOf(block, saved.byId) : isTheme ? t.theme : undefined;
  return (
    <li data-severity={severity}>
      <AlertIcon size={14} />
      <span>
        {name && go && (
          <button type="button" className={classes.place} onClick={go} aria-label={t.jump(name)}>
            {name}
          </button>
        )}
        {name && !go && <strong>{name}</strong>} {t.problem(severity, message)}
      </span>
    </li>
  );
}
