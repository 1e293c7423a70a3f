import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createEmail } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../../session/session.tsx';
import { noTransition } from '../../../theme/theme.ts';
import { fetchVariables } from '../email-api.ts';
import { type FieldErrors, fieldErrorsOf } from '../field-errors.ts';
import { useFolders } from '../use-folders.ts';
import { starterHtml } from './starter.ts';

const empty = { name: '', subject: '', fromEmail: '', fromName: '', folderId: '' };

export function CreateEmailDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="New email" {...noTransition}>
      <CreateEmailForm onClose={onClose} />
    </Modal>
  );
}

function CreateEmailForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const folders = useFolders();
  const [fields, setFields] = useState(empty);
  const create = useMutation({
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
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ['emails'] });
      navigate(`/emails/${data.id}`);
    },
  });
  const errors: FieldErrors =
    create.error instanceof ApiFailure
      ? fieldErrorsOf(create.error)
      : create.error
        ? { form: create.error.message }
        : {};
  const input = (field: keyof typeof empty) => ({
    value: fields[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((old) => ({ ...old, [field]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="For you and your team; contacts do not see it."
          required
          data-autofocus
          {...input('name')}
        />
        <TextInput label="Subject" required {...input('subject')} />
        <TextInput
          label="From address"
          type="email"
          description="Its domain must be approved for sending."
          placeholder="hello@example.com"
          required
          {...input('fromEmail')}
        />
        <TextInput label="From name" {...input('fromName')} />
        <Select
          label="Folder"
          placeholder="No folder"
          data={folders.choices}
          value={fields.folderId || null}
          error={errors.folderId}
          onChange={(value) => setFields((old) => ({ ...old, folderId: value ?? '' }))}
          clearable
          searchable
        />
        {(errors.form ?? errors.html) && (
          <Text c="var(--bad)" role="alert">
            {errors.form ?? errors.html}
          </Text>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create and edit
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
