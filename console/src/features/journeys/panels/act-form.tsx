// Steps that do something and go on.
import { Select, TextInput } from '@mantine/core';
import { type AssetKind, assetFields, topicDefaults } from '@rapport/contract';
import { t } from '../../../texts/journey-steps.ts';
import type { Assets } from '../editing/use-assets.ts';
import { AssetSelect } from '../fields/small-fields.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Branch, Delay, EmitEvent, SendEmail, SetTopic, Split, Step, WaitUntil } from '../model/definition.ts';
import { assets as wordsFor } from '../model/say.ts';
import { JsonField } from './json-field.tsx';
import { PropertyForm } from './property-form.tsx';
import type { StepForm } from './step-form.ts';
import { WebhookForm } from './webhook-form.tsx';

type Act = Exclude<Step, Delay | WaitUntil | Branch | Split | SendEmail>;

export function ActForm({ step, isReadOnly, change, assets }: StepForm<Act> & { assets: Assets }) {
  switch (step.type) {
    case 'updateProperty':
      return <PropertyForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'webhook':
      return <WebhookForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'emitEvent':
      return <EmitForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'exit':
      return (
        <TextInput
          label={t.reason}
          description={t.reasonHint}
          value={step.reason ?? ''}
          readOnly={isReadOnly}
          onChange={(event) => change({ ...step, reason: event.currentTarget.value || undefined }, 'reason')}
        />
      );
    default:
      return (
        <>
          {assetFields(step.type).map(([field, kind]) => (
            <AssetSelect
              key={field}
              {...{ label: labels[kind], placeholder: wordsFor[kind].wanted, data: assets[choices[kind]], isReadOnly }}
              value={(step as Readonly<Record<string, unknown>>)[field] as string | undefined}
              onChange={(id) => change({ ...step, [field]: id })}
            />
          ))}
          {step.type === 'setTopic' && <TopicStateField step={step} isReadOnly={isReadOnly} change={change} />}
        </>
      );
  }
}

const labels: Readonly<Record<AssetKind, string>> = {
  ...{ email: t.email, staticList: t.list_, journey: t.otherJourney, triggerJourney: t.otherJourney },
  topic: t.topic,
};
const choices = {
  ...{ email: 'emails', staticList: 'staticLists', journey: 'journeys', triggerJourney: 'triggerJourneys' },
  topic: 'topics',
} as const satisfies Record<AssetKind, keyof Assets>;

function TopicStateField({ step, isReadOnly, change }: StepForm<SetTopic>) {
  return (
    <Select
      label={t.topicState}
      description={t.topicHint}
      data={topicDefaults.map((value) => ({ value, label: t.topicStates[value] }))}
      value={step.state ?? null}
      allowDeselect={false}
      readOnly={isReadOnly}
      onChange={(next) => {
        const state = topicDefaults.find((each) => each === next);
        if (state) change({ ...step, state });
      }}
    />
  );
}

function EmitForm({ step, isReadOnly, change }: StepForm<EmitEvent>) {
  return (
    <>
      <SuggestField
        of="events"
        label={t.eventName}
        value={step.eventName ?? ''}
        isReadOnly={isReadOnly}
        onChange={(eventName) => change({ ...step, eventName }, 'eventName')}
      />
      <JsonField
        label={t.eventProperties}
        hint={t.eventPropertiesHint}
        value={step.properties}
        isReadOnly={isReadOnly}
        onChange={(properties) => change({ ...step, properties }, 'properties')}
      />
    </>
  );
}
