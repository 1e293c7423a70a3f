// The work on a saved block: its blocks with undo and redo, and what is wrong with them.
import type { Block, Design, DesignTheme } from '@rapport/contract';
import { useMemo, useReducer } from 'react';
import { beginHistory, type History, record, redo, undo } from '../../../../shared/drafts/history.ts';
import type { DesignWork } from '../design-work.ts';
import { type Compiled, useCompiled } from '../use-compiled.ts';

type Step = 'undo' | 'redo' | { make: (design: Design) => Design; about: string | undefined };

function take(history: History<Design>, step: Step): History<Design> {
  if (step === 'undo') return undo(history);
  if (step === 'redo') return redo(history);
  return record(history, step.make(history.present), step.about);
}

/** The unsubscribe link is a matter of the emails that use it. */
const footer: Block = { type: 'footer', address: '-' };

export function useBlocksWork(blocks: readonly Block[], theme: DesignTheme | undefined) {
  const [history, step] = useReducer(take, { version: 1, blocks, ...(theme ? { theme } : {}) } as Design, beginHistory);
  const design = history.present;
  const whole = useMemo(() => ({ ...design, blocks: [...design.blocks, footer] }), [design]);
  const found = useCompiled(whole);
  const calls = useMemo(
    () => ({
      change: (make: (old: Design) => Design, about?: string) => step({ make, about }),
      undo: () => step('undo'),
      redo: () => step('redo'),
    }),
    [],
  );
  const work: DesignWork = {
    ...calls,
    ...{ canUndo: history.past.length > 0, canRedo: history.future.length > 0, fault: undefined },
  };
  return { work, design, compiled: ownProblems(found, design.blocks.length) };
}

/** Without those of the footer and the theme, which are not part of it. */
function ownProblems(compiled: Compiled, count: number): Compiled {
  const { problems } = compiled;
  return {
    ...compiled,
    problems: problems?.filter(
      ({ place }) => place.startsWith('design.blocks') && !place.startsWith(`design.blocks[${count}]`),
    ),
  };
}
