// What applies to everyone in a journey: goal, holdout, limits, sending times, re-entry, leaving early.
import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { journeyLimits } from '@rapport/contract';
import type { ReactNode } from 'react';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { t as words } from '../../../texts/journeys.ts';
import { FilterField } from '../../audiences/filter-field.tsx';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import { ruleIcons } from '../canvas/rules-strip.tsx';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { DurationField } from '../fields/duration-field.tsx';
import { DaysField, OptionalPart } from '../fields/small-fields.tsx';
import type { Definition, SendWindow } from '../model/definition.ts';
import { type RuleName, rulePlace } from '../model/say-rules.ts';
import { Panel } from './panel.tsx';
import { zones } from './schedule-field.tsx';

interface Part {
  definition: Definition;
  isReadOnly: boolean;
  set: (changes: Partial<Definition>, about?: string) => void;
}

/** One rule, opened from the strip above the canvas. */
export function RulePanel({ name, work, onClose }: { name: RuleName; work: JourneyWork; onClose: () => void }) {
  const { isReadOnly, faults } = useCanvasWorld();
  const { definition } = work;
  const Fields = fieldsOf[name];
  return (
    <Panel
      title={words.rules[name]}
      icon={ruleIcons[name]}
      lead={t.settingsLead}
      faults={faults.at.get(rulePlace(name))}
      onClose={onClose}
    >
      <Fields
        definition={definition}
        isReadOnly={isReadOnly}
        set={(changes, about) => work.edit({ ...definition, ...changes }, about && `rules.${about}`)}
      />
    </Panel>
  );
}

function Goal({ definition: { goal }, isReadOnly, set }: Part) {
  return (
    <>
      <FilterField
        label={stepTexts.goal}
        none={stepTexts.noGoal}
        hint={stepTexts.goalHint}
        filter={goal?.filter}
        isOptional
        isReadOnly={isReadOnly}
        onChange={(filter) => set({ goal: filter && { ...goal, filter } }, 'goal')}
      />
      {goal && (
        <Switch
          label={stepTexts.goalExit}
          checked={goal.exit ?? false}
          disabled={isReadOnly}
          onChange={(event) => set({ goal: { ...goal, exit: event.currentTarget.checked || undefined } })}
        />
      )}
    </>
  );
}

function ExitWhen({ definition: { exitWhen }, isReadOnly, set }: Part) {
  return (
    <FilterField
      label={stepTexts.exitWhen}
      none={stepTexts.noExit}
      hint={stepTexts.exitWhenHint}
      filter={exitWhen}
      isOptional
      isReadOnly={isReadOnly}
      onChange={(filter) => set({ exitWhen: filter }, 'exitWhen')}
    />
  );
}

function Holdout({ definition: { holdout = 0 }, isReadOnly, set }: Part) {
  return (
    <NumberInput
      label={stepTexts.holdout}
      description={stepTexts.holdoutHint}
      min={0}
      max={journeyLimits.holdoutPercent}
      allowDecimal={false}
      suffix="%"
      value={holdout}
      readOnly={isReadOnly}
      onChange={(next) => typeof next === 'number' && set({ holdout: next || undefined }, 'holdout')}
    />
  );
}

function Reentry({ definition: { reentry = 'never' }, isReadOnly, set }: Part) {
  const kind = typeof reentry === 'string' ? reentry : 'after';
  return (
    <>
      <Select
        label={stepTexts.reentry}
        data={Object.entries(stepTexts.reentries).map(([value, label]) => ({ value, label }))}
        value={kind}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => {
          if (next === 'after') set({ reentry: { after: 'P30D' } });
          else if (next) set({ reentry: next === 'never' ? undefined : (next as 'afterExit' | 'always') });
        }}
      />
      {typeof reentry === 'object' && (
        <DurationField
          label={stepTexts.reentryAfter}
          value={reentry.after}
          isReadOnly={isReadOnly}
          onChange={(after) => set({ reentry: { after } }, 'reentry')}
        />
      )}
    </>
  );
}

const usualCap = { messages: 3, per: 'P7D' };

function Cap({ definition, isReadOnly, set }: Part) {
  const { cap = usualCap } = definition;
  return (
    <OptionalPart
      label={stepTexts.cap}
      hint={stepTexts.capHint}
      isOn={definition.cap !== undefined}
      isReadOnly={isReadOnly}
      onToggle={(isOn) => set({ cap: isOn ? usualCap : undefined })}
    >
      <NumberInput
        label={stepTexts.capMessages}
        min={1}
        allowDecimal={false}
        value={cap.messages}
        readOnly={isReadOnly}
        onChange={(messages) => typeof messages === 'number' && set({ cap: { ...cap, messages } }, 'cap')}
      />
      <DurationField
        label={stepTexts.capPer}
        value={cap.per}
        isReadOnly={isReadOnly}
        onChange={(per) => set({ cap: { ...cap, per } }, 'cap')}
      />
    </OptionalPart>
  );
}

const usualWindow: SendWindow = { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', timeZone: 'contact' };

function Window({ definition, isReadOnly, set }: Part) {
  const { window = usualWindow } = definition;
  const put = (changes: Partial<SendWindow>) => set({ window: { ...window, ...changes } }, 'window');
  return (
    <OptionalPart
      label={stepTexts.window}
      hint={stepTexts.windowHint}
      isOn={definition.window !== undefined}
      isReadOnly={isReadOnly}
      onToggle={(isOn) => set({ window: isOn ? usualWindow : undefined })}
    >
      <DaysField value={window.days} isReadOnly={isReadOnly} onChange={(days) => put({ days })} />
      <TextInput
        type="time"
        label={stepTexts.windowFrom}
        value={window.from}
        readOnly={isReadOnly}
        onChange={(event) => put({ from: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        label={stepTexts.windowTo}
        value={window.to}
        readOnly={isReadOnly}
        onChange={(event) => put({ to: event.currentTarget.value })}
      />
      <Select
        label={stepTexts.timeZone}
        data={[
          { value: 'contact', label: stepTexts.contactZone },
          ...zones().map((zone) => ({ value: zone, label: zone })),
        ]}
        value={window.timeZone}
        searchable
        limit={100}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(timeZone) => timeZone && put({ timeZone })}
      />
    </OptionalPart>
  );
}

const fieldsOf: Readonly<Record<RuleName, (part: Part) => ReactNode>> = {
  ...{ goal: Goal, holdout: Holdout, cap: Cap, window: Window, reentry: Reentry, exitWhen: ExitWhen },
};
