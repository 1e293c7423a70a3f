import { Select, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createEmail } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/emails.ts';
import { SenderField } from '../content/sender-field.tsx';
import { TemplateField } from '../content/template-field.tsx';
import { fetchVariables } from '../email-api.ts';
import { faultsOf, fieldErrorsOf } from '../field-errors.ts';
import { useVariables } from '../use-variables.ts';
import { starterHtml } from './starter.ts';

const empty = { name: '', subject: '', fromEmail: '', fromName: '', folderId: '' };

export function CreateEmailDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const folders = useFolders();
  const variables = useVariables();
  const form = useForm({
    draft: 'email',
    initial: empty,
    labels: t.fields,
    check: faultsOf,
    send: async ({ name, subject, fromEmail, fromName, folderId }) => {
      const known = (await fetchVariables(api)).map((variable) => variable.name);
      const from = { email: fromEmail, ...(fromName ? { name: fromName } : {}) };
      const body = {
        name,
        subject,
        html: starterHtml(name, known),
        fromEmail: from,
        ...(folderId ? { folderId } : {}),
      };
      return (await api.call(createEmail, { body })).data;
    },
    refused: (error, fields) => {
      if (!(error instanceof ApiFailure)) return { form: error.message };
      const { html, ...faults } = fieldErrorsOf(error, fields);
      return { ...faults, form: faults.form ?? html };
    },
    refresh: ['emails'],
    goTo: ({ id }) => `/emails/${id}`,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.newEmail} submit={t.createAndEdit}>
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
    </FormDialog>
  );
}
