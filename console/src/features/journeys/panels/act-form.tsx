// Steps that do something and go on.
import { Anchor, Switch, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { t } from '../../../texts/journey-steps.ts';
import type { Assets } from '../editing/use-assets.ts';
import { AssetSelect } from '../fields/small-fields.tsx';
import { SuggestField } from '../fields/suggest-field.tsx';
import type { Branch, Delay, EmitEvent, Split, Step, WaitUntil } from '../model/definition.ts';
import { JsonField } from './json-field.tsx';
import { PropertyForm } from './property-form.tsx';
import type { StepForm } from './step-form.ts';
import { WebhookForm } from './webhook-form.tsx';

type Act = Exclude<Step, Delay | WaitUntil | Branch | Split>;

export function ActForm({ step, isReadOnly, change, assets }: StepForm<Act> & { assets: Assets }) {
  switch (step.type) {
    case 'sendEmail':
      return (
        <>
          <AssetSelect
            label={t.email}
            placeholder={t.missing.email}
            data={assets.emails}
            value={step.emailId}
            isReadOnly={isReadOnly}
            onChange={(emailId) => change({ ...step, emailId })}
          />
          {step.emailId && (
            <Anchor component={Link} href={`/emails/${step.emailId}`} size="sm">
              {t.openEmail}
            </Anchor>
          )}
          <Switch
            label={t.transactionalLabel}
            description={t.transactionalHint}
            checked={step.transactional ?? false}
            disabled={isReadOnly}
            onChange={(event) => change({ ...step, transactional: event.currentTarget.checked || undefined })}
          />
        </>
      );
    case 'updateProperty':
      return <PropertyForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'addToList':
    case 'removeFromList':
      return (
        <AssetSelect
          label={t.list_}
          placeholder={t.missing.list}
          data={assets.staticLists}
          value={step.staticListId}
          isReadOnly={isReadOnly}
          onChange={(staticListId) => change({ ...step, staticListId })}
        />
      );
    case 'webhook':
      return <WebhookForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'emitEvent':
      return <EmitForm step={step} isReadOnly={isReadOnly} change={change} />;
    case 'startJourney':
      return (
        <AssetSelect
          label={t.otherJourney}
          placeholder={t.missing.journey}
          data={assets.journeys}
          value={step.journeyId}
          isReadOnly={isReadOnly}
          onChange={(journeyId) => change({ ...step, journeyId })}
        />
      );
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
  }
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
