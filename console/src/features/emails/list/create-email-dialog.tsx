import { Radio, Select, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createEmail, startingPoints } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/emails.ts';
import { SenderField } from '../content/sender-field.tsx';
import { TemplateField } from '../content/template-field.tsx';
import { workspaceThemeQuery } from '../design/design-api.ts';
import { starterDesign, withBrand } from '../design/model/new-block.ts';
import { fetchVariables } from '../email-api.ts';
import { faultsOf, fieldErrorsOf } from '../field-errors.ts';
import { useVariables } from '../use-variables.ts';
import classes from './create-email-dialog.module.css';
import { defaultSenderQuery, fieldsOfSender } from './default-sender.ts';
import { starterHtml } from './starter.ts';

const empty = { name: '', subject: '', folderId: '', start: 'blocks' };

// Drawn by `npm run screenshots -- --emails`.
const pictures = import.meta.glob<string>('./starting-points/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** What an email can begin with: empty, as HTML, or a design that is there. */
const starts = [
  { id: 'blocks', name: t.startBlocks, description: t.startBlocksText, subject: '' },
  { id: 'html', name: t.startHtml, description: t.startHtmlText, subject: '' },
  ...startingPoints,
];

interface CreateEmailDialogProps {
  onClose: () => void;
  /** Where it is written for something else: instead of its own page. */
  onCreated?: (email: { id: string }) => void;
}

export function CreateEmailDialog({ onClose, onCreated }: CreateEmailDialogProps) {
  const api = useApi();
  const folders = useFolders();
  const variables = useVariables();
  const { me } = useRights();
  const queries = useQueryClient();
  const { data: sender } = useQuery(defaultSenderQuery(api));
  const { replyTo, ...from } = fieldsOfSender(sender);
  const form = useForm({
    draft: 'email',
    // What the workspace begins with stands under what was typed, even if it comes later.
    initial: { ...empty, ...from },
    labels: { ...t.fields, start: t.startWith },
    check: faultsOf,
    send: async ({ name, subject, fromEmail, fromName, folderId, start }) => {
      const point = startingPoints.find(({ id }) => id === start);
      const body = {
        name,
        subject,
        ...(start === 'html'
          ? {
              html: starterHtml(
                name,
                (await fetchVariables(api)).map((variable) => variable.name),
              ),
            }
          : {
              design: withBrand(
                (await point?.load()) ?? starterDesign(me?.workspace?.name ?? name),
                (await queries.fetchQuery(workspaceThemeQuery(api))).theme,
              ),
            }),
        ...(point ? { preheader: point.preheader } : {}),
        fromEmail: { email: fromEmail, ...(fromName ? { name: fromName } : {}) },
        ...(replyTo ? { replyTo } : {}),
        ...(folderId ? { folderId } : {}),
      };
      return (await api.call(createEmail, { body })).data;
    },
    refused: (error, fields) => {
      if (!(error instanceof ApiFailure)) return { form: error.message };
      const { html, design, ...faults } = fieldErrorsOf(error, fields);
      return { ...faults, form: faults.form ?? html ?? design };
    },
    refresh: ['emails'],
    ...(onCreated ? { onSent: onCreated } : { goTo: ({ id }: { id: string }) => `/emails/${id}` }),
    onClose,
  });
  return (
    <FormDialog form={form} title={t.newEmail} size="lg" submit={onCreated ? t.create : t.createAndEdit}>
      <TextInput {...form.text('name')} description={t.nameDescription} required data-autofocus />
      <TemplateField {...form.choice('subject')} required problems={[]} variables={variables} />
      <SenderField {...form.choice('fromEmail')} />
      <TextInput {...form.text('fromName')} />
      <Select
        {...form.choice('folderId')}
        label={t.folder}
        placeholder={t.noFolder}
        data={folders.choices}
        value={form.values.folderId || null}
        onChange={(value) => form.set({ folderId: value ?? '' })}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
      />
      <Radio.Group
        {...form.choice('start')}
        onChange={(start) => {
          // A subject that somebody wrote stays.
          const suggested = starts.find(({ id }) => id === start)?.subject ?? '';
          const isOurs = starts.some(({ subject }) => subject === form.values.subject);
          form.set({ start, ...(isOurs ? { subject: suggested } : {}) });
        }}
      >
        <div className={classes.starts}>
          {starts.map(({ id, name, description }) => (
            <Radio.Card key={id} value={id} className={classes.start ?? ''} aria-label={name}>
              <Picture id={id} />
              <strong>{name}</strong>
              <span className={classes.text}>{description}</span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
    </FormDialog>
  );
}

/** The name below says what it is. What begins empty has none. */
function Picture({ id }: { id: string }) {
  const src = pictures[`./starting-points/${id}.webp`];
  return src && <img className={classes.picture} src={src} alt="" width={300} height={375} loading="lazy" />;
}
