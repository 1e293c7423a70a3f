// A step as a card: on the canvas and in the list.
import type { ReactNode } from 'react';
import { AlertIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { compact, whole } from '../../../texts/numbers.ts';
import type { Step } from '../model/definition.ts';
import { sayStep } from '../model/say.ts';
import { useCanvasWorld, useMoment } from './canvas-context.ts';
import classes from './step-card.module.css';
import { stepLooks } from './step-look.tsx';

export function StepCard({ step }: { step: Step }) {
  const { names, faults } = useCanvasWorld();
  const { title, detail, isUnfinished } = sayStep(step, names);
  const { icon, tone } = stepLooks[step.type];
  return (
    <CardButton id={step.id} tone={tone} problems={faults.at.get(step.id)?.length ?? 0}>
      <span className={classes.sign}>{icon}</span>
      <span className={classes.words}>
        <span className={classes.title}>{title}</span>
        <span className={classes.detail} data-missing={isUnfinished || undefined} title={detail}>
          {detail}
        </span>
        <Counts id={step.id} />
      </span>
    </CardButton>
  );
}

interface CardButtonProps {
  id: string;
  tone: string;
  problems: number;
  children: ReactNode;
}

/** The whole card is the button. */
export function CardButton({ id, tone, problems, children }: CardButtonProps) {
  const { selected, select } = useCanvasWorld();
  const moment = useMoment();
  const isFollowed = moment?.followed?.stepId === id;
  return (
    <button
      type="button"
      className={`${classes.card} nopan nodrag`}
      data-node={id}
      data-tone={tone}
      data-selected={selected === id || undefined}
      data-faulty={problems > 0 || undefined}
      data-followed={isFollowed || undefined}
      data-dim={(moment?.followed && !isFollowed) || undefined}
      aria-pressed={selected === id}
      onClick={() => select(id)}
    >
      {children}
      {problems > 0 && (
        <span className={classes.problem}>
          <AlertIcon size={13} />
          {t.faultsAt(problems)}
        </span>
      )}
    </button>
  );
}

/** From the simulation while one is shown, otherwise of the real contacts in the journey. */
function Counts({ id }: { id: string }) {
  const { live } = useCanvasWorld();
  const moment = useMoment();
  if (moment) {
    const count = moment.frame.steps.get(id);
    const share = moment.frame.entered === 0 ? 0 : Math.min(1, (count?.entered ?? 0) / moment.frame.entered);
    return (
      <span className={classes.counts}>
        <span className={classes.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
        <span data-here={count?.here ? true : undefined}>{t.here(whole(count?.here ?? 0))}</span>
        <span>{t.came(whole(count?.entered ?? 0))}</span>
      </span>
    );
  }
  const count = live?.get(id);
  if (!count) return null;
  return (
    <span className={classes.counts}>
      <span title={t.hereText} data-here={count.inProgress > 0 || undefined}>
        {t.here(compact(count.inProgress))}
      </span>
      <span title={t.cameText}>{t.came(compact(count.entered))}</span>
      {count.sent !== undefined && <span>{t.sent(compact(count.sent))}</span>}
    </span>
  );
}
