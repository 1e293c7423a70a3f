import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createEmail } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { type Typed, useTyped } from '../../../shared/drafts/use-typed.ts';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { useGoOn } from '../../../shared/use-go-on.ts';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import { SenderField } from '../content/sender-field.tsx';
import { TemplateField } from '../content/template-field.tsx';
import { fetchVariables } from '../email-api.ts';
import { type FieldErrors, faultsOf, fieldErrorsOf } from '../field-errors.ts';
import { useVariables } from '../use-variables.ts';
import { starterHtml } from './starter.ts';

const empty = { name: '', subject: '', fromEmail: '', fromName: '', folderId: '' };

export function CreateEmailDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={t.newEmail}>
      <CreateEmailForm onClose={onClose} />
    </Modal>
  );
}

function CreateEmailForm({ onClose }: { onClose: () => void }) {
  const folders = useFolders();
  const variables = useVariables();
  const form = useTyped('email', empty);
  const fields = form.values;
  const [errors, setErrors] = useState<FieldErrors>({});
  const create = useCreate(form, setErrors);
  const set = (changes: Partial<typeof empty>) => {
    form.set(changes);
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !(field in changes))));
  };
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const faults = faultsOf(fields);
    setErrors(faults);
    if (Object.keys(faults).length === 0) create.mutate();
  };
  const refusal = errors.form ?? errors.html;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TypedNotice form={form} />
        <TextInput
          label={t.fields.name}
          description={t.nameDescription}
          required
          data-autofocus
          value={fields.name}
          error={errors.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TemplateField
          label={t.fields.subject}
          required
          value={fields.subject}
          error={errors.subject}
          problems={[]}
          variables={variables}
          onChange={(subject) => set({ subject })}
        />
        <SenderField value={fields.fromEmail} error={errors.fromEmail} onChange={(fromEmail) => set({ fromEmail })} />
        <TextInput
          label={t.fields.fromName}
          value={fields.fromName}
          error={errors.fromName}
          onChange={(event) => set({ fromName: event.currentTarget.value })}
        />
        <Select
          label={t.folder}
          placeholder={t.noFolder}
          data={folders.choices}
          value={fields.folderId || null}
          error={errors.folderId}
          onChange={(value) => set({ folderId: value ?? '' })}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
        />
        {refusal && (
          <Text c="var(--bad)" role="alert">
            {refusal}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={cancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t.createAndEdit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCreate({ values: fields, forget }: Typed<typeof empty>, onErrors: (errors: FieldErrors) => void) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: async () => {
      const variables = (await fetchVariables(api)).map(({ name }) => name);
      const body = {
        name: fields.name,
        subject: fields.subject,
        html: starterHtml(fields.name, variables),
        fromEmail: { email: fields.fromEmail, ...(fields.fromName ? { name: fields.fromName } : {}) },
        ...(fields.folderId ? { folderId: fields.folderId } : {}),
      };
      return api.call(createEmail, { body });
    },
    onSuccess: ({ data }) => {
      forget();
      void queries.invalidateQueries(about('emails'));
      goOn(`/emails/${data.id}`);
    },
    onError: (error) => onErrors(error instanceof ApiFailure ? fieldErrorsOf(error, fields) : { form: error.message }),
  });
}
