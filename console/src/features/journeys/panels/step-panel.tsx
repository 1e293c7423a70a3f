// Everything about one step.
import { Button, TextInput } from '@mantine/core';
import { journeyLimits } from '@rapport/contract';
import { useState } from 'react';
import { TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import { stepLooks } from '../canvas/step-look.tsx';
import type { Assets } from '../editing/use-assets.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { WaySelect } from '../fields/small-fields.tsx';
import type { Step } from '../model/definition.ts';
import { changeStep, connect, renameStep } from '../model/edit.ts';
import { ActForm } from './act-form.tsx';
import { BranchForm } from './branch-form.tsx';
import { DelayForm } from './delay-form.tsx';
import { EmailForm } from './email-form.tsx';
import { Panel } from './panel.tsx';
import { SplitForm } from './split-form.tsx';
import type { StepForm } from './step-form.ts';
import { WaitForm } from './wait-form.tsx';

interface StepPanelProps {
  step: Step;
  work: JourneyWork;
  assets: Assets;
  onClose: () => void;
  onRenamed: (id: string) => void;
}

export function StepPanel({ step, work, assets, onClose, onRenamed }: StepPanelProps) {
  const { isReadOnly, faults, remove } = useCanvasWorld();
  const change: StepForm['change'] = (next, about) =>
    work.edit(
      changeStep(work.definition, step.id, () => next),
      about && `${step.id}.${about}`,
    );
  return (
    <Panel
      title={stepTexts.steps[step.type].title}
      icon={stepLooks[step.type].icon}
      lead={stepTexts.steps[step.type].text}
      faults={faults.at.get(step.id)}
      onClose={onClose}
      foot={
        !isReadOnly && (
          <Button
            variant="subtle"
            color="gray"
            c="var(--bad)"
            size="xs"
            leftSection={<TrashIcon size={14} />}
            onClick={() => remove(step.id)}
          >
            {t.remove}
          </Button>
        )
      }
    >
      <TextInput
        label={stepTexts.stepName}
        description={stepTexts.stepNameHint}
        placeholder={stepTexts.steps[step.type].title}
        value={step.name ?? ''}
        maxLength={journeyLimits.stepName}
        readOnly={isReadOnly}
        onChange={(event) => change({ ...step, name: event.currentTarget.value || undefined }, 'name')}
      />
      <Form step={step} isReadOnly={isReadOnly} change={change} assets={assets} journeyId={work.journey.journeyId} />
      {hasNext(step) && (
        <WaySelect
          label={stepTexts.goesTo}
          from={step.id}
          to={step.next ?? null}
          isReadOnly={isReadOnly}
          onChange={(to) => work.edit(connect(work.definition, { from: step.id, slot: 'next' }, to))}
        />
      )}
      <IdField
        key={step.id}
        step={step}
        isReadOnly={isReadOnly}
        taken={work.definition.steps.map(({ id }) => id)}
        onRename={(id) => {
          work.edit(renameStep(work.definition, step.id, id));
          onRenamed(id);
        }}
      />
    </Panel>
  );
}

function hasNext({ type }: Step): boolean {
  return type !== 'exit' && type !== 'branch' && type !== 'waitUntil' && type !== 'split';
}

function Form({ step, isReadOnly, change, assets, journeyId }: StepForm & { assets: Assets; journeyId: string }) {
  switch (step.type) {
    case 'sendEmail':
      return <EmailForm {...{ step, isReadOnly, change, assets, journeyId }} />;
    case 'delay':
      return <DelayForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'waitUntil':
      return <WaitForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'branch':
      return <BranchForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'split':
      return <SplitForm step={step} isReadOnly={isReadOnly} change={change} />;
    default:
      return <ActForm step={step} isReadOnly={isReadOnly} change={change} assets={assets} />;
  }
}

interface IdFieldProps {
  step: Step;
  isReadOnly: boolean;
  taken: readonly string[];
  onRename: (id: string) => void;
}

/** Applied on blur: half a name is not a name. */
function IdField({ step, isReadOnly, taken, onRename }: IdFieldProps) {
  const [text, setText] = useState(step.id);
  const isTaken = text !== step.id && taken.includes(text);
  const isBad = !/^[A-Za-z0-9_-]{1,64}$/.test(text);
  return (
    <TextInput
      label={stepTexts.stepId}
      description={stepTexts.stepIdHint}
      value={text}
      readOnly={isReadOnly}
      error={isTaken ? stepTexts.stepIdTaken : isBad ? stepTexts.stepIdBad : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => !isTaken && !isBad && text !== step.id && onRename(text)}
    />
  );
}
