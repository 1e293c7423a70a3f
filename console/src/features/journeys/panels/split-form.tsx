import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { PlusIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-steps.ts';
import { DurationField } from '../fields/duration-field.tsx';
import { OptionalPart, WaySelect } from '../fields/small-fields.tsx';
import type { Arm, Split, Step, Winner } from '../model/definition.ts';
import { addWay, evenly, removeWay } from '../model/edit-ways.ts';
import { withWay } from '../model/ways.ts';
import { removing } from './branch-form.tsx';
import type { StepForm } from './step-form.ts';
import { WayGroup } from './way-group.tsx';

export function SplitForm({ step, isReadOnly, change }: StepForm<Split>) {
  const put = (next: Step) => change(next as Split);
  const set = (at: number, arm: Partial<Arm>, about: string) =>
    change({ ...step, arms: step.arms.map((one, i) => (i === at ? { ...one, ...arm } : one)) }, `${about}.${at}`);
  return (
    <>
      {step.arms.map((arm, at) => (
        <WayGroup
          // biome-ignore lint/suspicious/noArrayIndexKey: the name of an arm is being typed
          key={at}
          title={t.arm(arm.name)}
          onRemove={removing(step.arms, isReadOnly, () => put(removeWay(step, at)))}
        >
          <Group gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              label={t.armName}
              value={arm.name}
              readOnly={isReadOnly}
              onChange={(event) => set(at, { name: event.currentTarget.value }, 'name')}
            />
            <NumberInput
              w={96}
              label={t.percent}
              min={0}
              max={100}
              allowDecimal={false}
              suffix="%"
              value={arm.percent}
              readOnly={isReadOnly}
              onChange={(percent) => typeof percent === 'number' && set(at, { percent }, 'percent')}
            />
          </Group>
          <WaySelect
            label={t.goesTo}
            from={step.id}
            to={arm.next ?? null}
            isReadOnly={isReadOnly}
            onChange={(to) => put(withWay(step, `arm.${at}`, to))}
          />
        </WayGroup>
      ))}
      {!isReadOnly && (
        <Group gap="xs">
          <Button variant="default" size="xs" leftSection={<PlusIcon size={14} />} onClick={() => put(addWay(step))}>
            {t.addArm}
          </Button>
          <Button variant="subtle" color="gray" size="xs" onClick={() => put({ ...step, arms: evenly(step.arms) })}>
            {t.evenly}
          </Button>
        </Group>
      )}
      <WinnerPart step={step} isReadOnly={isReadOnly} change={change} />
    </>
  );
}

const usualWinner: Winner = { by: 'clicked', after: 'P2D', minimum: 500 };

function WinnerPart({ step, isReadOnly, change }: StepForm<Split>) {
  const { winner = usualWinner } = step;
  const set = (changes: Partial<Winner>, about: string) =>
    change({ ...step, winner: { ...winner, ...changes } }, about);
  return (
    <OptionalPart
      label={t.winner}
      isOn={step.winner !== undefined}
      isReadOnly={isReadOnly}
      onToggle={(isOn) => change({ ...step, winner: isOn ? usualWinner : undefined })}
    >
      <Select
        label={t.winnerBy}
        data={Object.entries(t.winnerBys).map(([value, label]) => ({ value, label }))}
        value={winner.by}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(by) => by && set({ by: by as Winner['by'] }, 'winner.by')}
      />
      <DurationField
        label={t.winnerAfter}
        value={winner.after}
        isReadOnly={isReadOnly}
        onChange={(after) => set({ after }, 'winner.after')}
      />
      <NumberInput
        label={t.winnerMinimum}
        min={1}
        allowDecimal={false}
        value={winner.minimum}
        readOnly={isReadOnly}
        onChange={(minimum) => typeof minimum === 'number' && set({ minimum }, 'winner.minimum')}
      />
    </OptionalPart>
  );
}
