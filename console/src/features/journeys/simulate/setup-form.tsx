// Who takes part in a simulation, from when, and what they do meanwhile.
import { Button, Group, Radio, Select, Slider, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { PlayIcon, PlusIcon } from '../../../shared/icons.tsx';
import { t as simulationTexts } from '../../../texts/journey-simulation.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { whole } from '../../../texts/numbers.ts';
import { DurationField } from '../fields/duration-field.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Definition } from '../model/definition.ts';
import { WayGroup } from '../panels/way-group.tsx';
import { peopleChoices, type Reaction, type Setup, usualReactions } from './plan.ts';

interface SetupFormProps {
  definition: Definition;
  isRunning: boolean;
  isFaulty: boolean;
  error: Error | null;
  onRun: (setup: Setup) => void;
}

export function SetupForm({ definition, isRunning, isFaulty, error, onRun }: SetupFormProps) {
  const [setup, setSetup] = useState<Setup>(() => ({
    people: 100,
    start: 'now',
    reactions: usualReactions(definition),
  }));
  const isEvent = definition.entry.event !== undefined;
  const set = (changes: Partial<Setup>) => setSetup({ ...setup, ...changes });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {simulationTexts.simulationLead}
      </Text>
      <Select
        label={simulationTexts.people}
        data={peopleChoices.map((many) => ({ value: String(many), label: whole(many) }))}
        value={String(setup.people)}
        allowDeselect={false}
        onChange={(people) => set({ people: Number(people) })}
      />
      <Radio.Group
        label={simulationTexts.startWhen}
        value={setup.start}
        onChange={(start) => set({ start: start as Setup['start'] })}
      >
        <Stack gap="xs" mt={4}>
          <Radio
            value="now"
            label={simulationTexts.starts.now}
            description={isEvent ? simulationTexts.nowEvent : simulationTexts.nowOther}
          />
          {isEvent && (
            <Radio
              value="recorded"
              label={simulationTexts.starts.recorded}
              description={simulationTexts.recordedText}
            />
          )}
        </Stack>
      </Radio.Group>
      {setup.start === 'now' && <Reactions reactions={setup.reactions} onChange={(reactions) => set({ reactions })} />}
      <Fault text={isFaulty ? simulationTexts.mendToSimulate : error?.message} />
      <Button
        leftSection={<PlayIcon size={14} />}
        loading={isRunning}
        disabled={isFaulty}
        onClick={() => onRun({ ...setup, reactions: setup.reactions.filter(({ eventName }) => eventName.trim()) })}
      >
        {simulationTexts.run}
      </Button>
    </Stack>
  );
}

const newReaction: Reaction = { eventName: '', share: 50, after: 'P1D' };

interface ReactionsProps {
  reactions: readonly Reaction[];
  onChange: (reactions: readonly Reaction[]) => void;
}

function Reactions({ reactions, onChange }: ReactionsProps) {
  const set = (at: number, changes: Partial<Reaction>) =>
    onChange(reactions.map((one, i) => (i === at ? { ...one, ...changes } : one)));
  return (
    <Stack gap="xs">
      <div>
        <Text fw={500} size="sm">
          {simulationTexts.reactions}
        </Text>
        <Text size="sm" c="dimmed">
          {simulationTexts.reactionsText}
        </Text>
      </div>
      {reactions.map(({ eventName, share, after }, at) => (
        <WayGroup
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is being typed
          key={at}
          title={eventName || stepTexts.missing.event}
          onRemove={() => onChange(reactions.toSpliced(at, 1))}
        >
          <SuggestField
            of="events"
            label={stepTexts.eventName}
            value={eventName}
            isReadOnly={false}
            onChange={(name) => set(at, { eventName: name })}
          />
          <div>
            <Group justify="space-between">
              <Text size="sm">{simulationTexts.share}</Text>
              <Text size="sm" fw={600}>{`${share}%`}</Text>
            </Group>
            <Slider
              thumbLabel={simulationTexts.shareOf(eventName)}
              step={5}
              label={null}
              value={share}
              onChange={(next) => set(at, { share: next })}
            />
          </div>
          <DurationField
            label={simulationTexts.after}
            value={after}
            isReadOnly={false}
            onChange={(next) => set(at, { after: next })}
          />
        </WayGroup>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<PlusIcon size={14} />}
        onClick={() => onChange([...reactions, newReaction])}
      >
        {simulationTexts.addReaction}
      </Button>
    </Stack>
  );
}
