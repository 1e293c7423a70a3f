import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { JourneyIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { whole } from '../../../texts/numbers.ts';
import type { Step } from '../model/definition.ts';
import { entryId, placeAfter } from '../model/edit.ts';
import { sayEntry } from '../model/say.ts';
import { useCanvasWorld, useMoment } from './canvas-context.ts';
import classes from './nodes.module.css';
import cards from './step-card.module.css';
import { CardButton, StepCard } from './step-card.tsx';

export type StepNodeOf = Node<{ step: Step }, 'step'>;

export function StepNode({ data: { step } }: NodeProps<StepNodeOf>) {
  return (
    <DropOn id={step.id}>
      <Ports />
      <StepCard step={step} />
    </DropOn>
  );
}

export function EntryNode() {
  return (
    <DropOn id={entryId}>
      <Ports />
      <EntryCard />
    </DropOn>
  );
}

export function EntryCard() {
  const { definition, names, faults } = useCanvasWorld();
  const moment = useMoment();
  const { text, isMissing } = sayEntry(definition.entry, names);
  const problems = faults.at.get(entryId)?.length ?? 0;
  return (
    <CardButton id={entryId} tone="message" problems={problems}>
      <span className={cards.sign}>
        <JourneyIcon />
      </span>
      <span className={cards.words}>
        <span className={cards.title}>{moment ? t.came(whole(moment.frame.entered)) : stepTexts.entry}</span>
        <span className={cards.detail} data-missing={isMissing || undefined} title={text}>
          {text}
        </span>
      </span>
    </CardButton>
  );
}

export function EndNode() {
  return (
    <div className={classes.end}>
      <Ports />
      {t.end}
    </div>
  );
}

/** A step that is dropped on another one is inserted after it. */
function DropOn({ id, children }: { id: string; children: ReactNode }) {
  const { definition, dragged, insert } = useCanvasWorld();
  const [isOver, setOver] = useState(false);
  const place = dragged && placeAfter(definition, id);
  const over = (event: DragEvent) => {
    if (!place) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what drops here can be added with the button on the line, too
    <div
      className={classes.holder}
      data-over={(isOver && place) || undefined ? true : undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (place && dragged) insert(place, dragged);
      }}
    >
      {children}
    </div>
  );
}

/** Lines need ends; users do not draw them by hand. */
function Ports() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className={classes.port ?? ''} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={classes.port ?? ''} />
    </>
  );
}
