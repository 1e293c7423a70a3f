import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts/journey-steps.ts';
import { OptionalPart, WaySelect } from '../fields/small-fields.tsx';
import type { Webhook } from '../model/definition.ts';
import codes from './json-field.module.css';
import type { StepForm } from './step-form.ts';

const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'];

export function WebhookForm({ step, isReadOnly, change }: StepForm<Webhook>) {
  return (
    <>
      <TextInput
        label={t.url}
        type="url"
        value={step.url ?? ''}
        readOnly={isReadOnly}
        onChange={(event) => change({ ...step, url: event.currentTarget.value || undefined }, 'url')}
      />
      <Select
        label={t.method}
        data={methods}
        value={step.method ?? 'POST'}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(method) => method && change({ ...step, method: method === 'POST' ? undefined : method })}
      />
      <Headers step={step} isReadOnly={isReadOnly} change={change} />
      <Textarea
        label={t.body}
        description={t.bodyHint}
        autosize
        minRows={3}
        maxRows={16}
        value={step.body ?? ''}
        readOnly={isReadOnly}
        classNames={{ input: codes.code ?? '' }}
        onChange={(event) => change({ ...step, body: event.currentTarget.value || undefined }, 'body')}
      />
      <OptionalPart
        label={t.onErrorLabel}
        isOn={step.onError !== undefined}
        isReadOnly={isReadOnly}
        onToggle={(isOn) => change({ ...step, onError: isOn ? null : undefined })}
      >
        <WaySelect
          label={t.goesToOf(t.ways.onError)}
          from={step.id}
          to={step.onError ?? null}
          isReadOnly={isReadOnly}
          onChange={(onError) => change({ ...step, onError })}
        />
      </OptionalPart>
    </>
  );
}

function Headers({ step, isReadOnly, change }: StepForm<Webhook>) {
  const [text, setText] = useState(() => linesOf(step.headers ?? {}));
  return (
    <Textarea
      label={t.headers}
      description={hasHidden(step) ? `${t.headersHint}. ${t.hiddenHint}` : t.headersHint}
      autosize
      minRows={1}
      value={text}
      readOnly={isReadOnly}
      classNames={{ input: codes.code ?? '' }}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const headers = headersOf(event.currentTarget.value);
        change({ ...step, headers: Object.keys(headers).length === 0 ? undefined : headers }, 'headers');
      }}
    />
  );
}

// The API shows this instead of a value: `hiddenHeader` of the contract, which cannot be imported here.
const hidden = '********';
const hasHidden = ({ headers }: Webhook): boolean => Object.values(headers ?? {}).includes(hidden);

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function headersOf(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}
