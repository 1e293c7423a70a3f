// What starts a journey.
import { Select, Switch, TextInput } from '@mantine/core';
import { topicStates } from '@rapport/contract';
import { JourneyIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/journey-canvas.ts';
import { t as stepTexts } from '../../../texts/journey-steps.ts';
import { FilterField } from '../../audiences/filter-field.tsx';
import { useCanvasWorld } from '../canvas/canvas-context.ts';
import type { Assets } from '../editing/use-assets.ts';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { AssetSelect } from '../fields/small-fields.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Entry, ListRef } from '../model/definition.ts';
import { entryId } from '../model/edit.ts';
import { OffsetField } from './delay-form.tsx';
import { Panel } from './panel.tsx';
import { ScheduleField } from './schedule-field.tsx';

type Kind = keyof typeof stepTexts.entries;

const beginnings: Record<Kind, Entry> = {
  event: { event: { eventName: '' } },
  joined: { joined: {} },
  left: { left: {} },
  propertyChanged: { propertyChanged: { property: '' } },
  topic: { topic: { becomes: 'subscribed' } },
  form: { form: {} },
  date: { date: { property: '' } },
  api: { api: true },
  audience: { audience: {} },
};
const triggers: readonly Kind[] = ['event', 'joined', 'left', 'propertyChanged', 'topic', 'form', 'date', 'api'];

interface EntryPanelProps {
  work: JourneyWork;
  assets: Assets;
  onClose: () => void;
}

export function EntryPanel({ work, assets, onClose }: EntryPanelProps) {
  const { isReadOnly, faults } = useCanvasWorld();
  const { definition, journey } = work;
  const { entry } = definition;
  const set = (next: Entry, about?: string) => work.edit({ ...definition, entry: next }, about && `entry.${about}`);
  const kinds: readonly Kind[] = journey.type === 'batch' ? ['audience'] : triggers;
  const kind = kinds.find((each) => entry[each] !== undefined);
  return (
    <Panel
      title={stepTexts.entry}
      icon={<JourneyIcon />}
      lead={stepTexts.startedBy}
      faults={faults.at.get(entryId)}
      onClose={onClose}
    >
      {kinds.length > 1 && (
        <Select
          label={stepTexts.startedBy}
          placeholder={stepTexts.missing.entry}
          data={kinds.map((value) => ({ value, label: stepTexts.entries[value] }))}
          value={kind ?? null}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(next) => next && next !== kind && set(beginnings[next as Kind])}
        />
      )}
      <EntryFields
        entry={journey.type === 'batch' ? { audience: {}, ...entry } : entry}
        isReadOnly={isReadOnly}
        assets={assets}
        set={set}
      />
    </Panel>
  );
}

interface FieldsProps {
  entry: Entry;
  isReadOnly: boolean;
  assets: Assets;
  set: (entry: Entry, about?: string) => void;
}

function EntryFields({ entry, isReadOnly, assets, set }: FieldsProps) {
  const { event, joined, left, topic, audience } = entry;
  const both = { isReadOnly, assets };
  if (event)
    return (
      <>
        <SuggestField
          of="events"
          label={stepTexts.eventName}
          value={event.eventName}
          isReadOnly={isReadOnly}
          onChange={(eventName) => set({ event: { ...event, eventName } }, 'event')}
        />
        {event.eventName && (
          <FilterField
            label={stepTexts.eventWhere}
            filter={event.where}
            eventName={event.eventName}
            isOptional
            isReadOnly={isReadOnly}
            onChange={(where) => set({ event: { ...event, where } }, 'where')}
          />
        )}
      </>
    );
  if (joined) return <ListField {...both} list={joined} onChange={(list) => set({ joined: list })} />;
  if (left) return <ListField {...both} list={left} onlyDynamic onChange={(list) => set({ left: list })} />;
  if (entry.form)
    return (
      <AssetSelect
        label={stepTexts.form}
        placeholder={stepTexts.missing.form}
        data={assets.forms}
        value={entry.form.formId}
        isReadOnly={isReadOnly}
        onChange={(formId) => set({ form: { formId } })}
      />
    );
  if (topic) return <TopicEntry {...both} topic={topic} onChange={(next) => set({ topic: next })} />;
  if (audience)
    return (
      <>
        <ListField {...both} list={audience} onChange={(list) => set({ ...entry, audience: list })} />
        <ScheduleField
          schedule={entry.schedule}
          isReadOnly={isReadOnly}
          onChange={(schedule) => set({ ...entry, schedule }, 'schedule')}
        />
      </>
    );
  return <ValueEntry entry={entry} isReadOnly={isReadOnly} set={set} />;
}

interface TopicEntryProps {
  topic: NonNullable<Entry['topic']>;
  assets: Assets;
  isReadOnly: boolean;
  onChange: (topic: NonNullable<Entry['topic']>) => void;
}

function TopicEntry({ topic, assets, isReadOnly, onChange }: TopicEntryProps) {
  return (
    <>
      <AssetSelect
        label={stepTexts.topic}
        placeholder={stepTexts.missing.topic}
        data={assets.topics}
        value={topic.topicId}
        isReadOnly={isReadOnly}
        onChange={(topicId) => onChange({ ...topic, topicId })}
      />
      <Select
        label={stepTexts.topicState}
        data={topicStates.map((value) => ({ value, label: stepTexts.topicStates[value] }))}
        value={topic.becomes ?? null}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => {
          const becomes = topicStates.find((each) => each === next);
          if (becomes) onChange({ ...topic, becomes });
        }}
      />
    </>
  );
}

function ValueEntry({ entry: { propertyChanged, date }, isReadOnly, set }: Omit<FieldsProps, 'assets'>) {
  if (propertyChanged) {
    const put = (changes: object, about: string) => set({ propertyChanged: { ...propertyChanged, ...changes } }, about);
    return (
      <>
        <SuggestField
          of="properties"
          label={stepTexts.property}
          value={propertyChanged.property}
          isReadOnly={isReadOnly}
          onChange={(property) => put({ property }, 'property')}
        />
        {(['from', 'to'] as const).map((side) => (
          <TextInput
            key={side}
            label={stepTexts[side]}
            placeholder={stepTexts.fromHint}
            value={propertyChanged[side] === undefined ? '' : String(propertyChanged[side])}
            readOnly={isReadOnly}
            onChange={(event) => put({ [side]: event.currentTarget.value || undefined }, side)}
          />
        ))}
      </>
    );
  }
  if (!date) return null;
  return (
    <>
      <SuggestField
        of="properties"
        label={stepTexts.property}
        value={date.property}
        isReadOnly={isReadOnly}
        onChange={(property) => set({ date: { ...date, property } }, 'date')}
      />
      <OffsetField
        value={date.offset}
        isReadOnly={isReadOnly}
        onChange={(offset) => set({ date: { ...date, offset } }, 'offset')}
      />
      <TextInput
        type="time"
        label={stepTexts.atTime}
        description={stepTexts.atTimeHint}
        value={date.at ?? ''}
        readOnly={isReadOnly}
        onChange={(event) => set({ date: { ...date, at: event.currentTarget.value || undefined } }, 'at')}
      />
      <Switch
        label={stepTexts.yearly}
        checked={date.yearly ?? false}
        disabled={isReadOnly}
        onChange={(event) => set({ date: { ...date, yearly: event.currentTarget.checked || undefined } })}
      />
    </>
  );
}

interface ListFieldProps {
  list: ListRef;
  assets: Assets;
  isReadOnly: boolean;
  onlyDynamic?: boolean;
  onChange: (list: ListRef) => void;
}

function ListField({ list, assets, isReadOnly, onlyDynamic = false, onChange }: ListFieldProps) {
  const groups = [
    { group: stepTexts.dynamic, items: [...assets.dynamicLists] },
    ...(onlyDynamic ? [] : [{ group: stepTexts.static, items: [...assets.staticLists] }]),
  ];
  return (
    <Select
      label={stepTexts.list_}
      placeholder={stepTexts.missing.list}
      data={groups}
      value={list.dynamicListId ?? list.staticListId ?? null}
      searchable
      readOnly={isReadOnly}
      nothingFoundMessage={t.addNothing}
      onChange={(id) => {
        const isStatic = assets.staticLists.some(({ value }) => value === id);
        onChange(id === null ? {} : isStatic ? { staticListId: id } : { dynamicListId: id });
      }}
    />
  );
}
