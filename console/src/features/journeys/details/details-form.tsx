// Name, tags and folder of a journey: they can change in every state, and change nothing for those on the way.
import { Button, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createFolder } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { t } from '../../../texts/journeys.ts';
import { patchJourney } from '../journey-api.ts';
import { useKnownTags } from './use-known-tags.ts';

interface Details {
  journeyId: string;
  name: string;
  tags: readonly string[];
  directoryId: string | null;
}

interface DetailsFormProps {
  journey: Details;
  onSaved: () => void;
  isReadOnly?: boolean;
  /** Beside the button that saves. */
  children?: ReactNode;
}

export function DetailsForm({ journey, onSaved, isReadOnly = false, children }: DetailsFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const folders = useFolders();
  const knownTags = useKnownTags();
  const form = useTyped(`journey:${journey.journeyId}`, {
    name: journey.name,
    tags: [...journey.tags],
    folderId: journey.directoryId,
    newFolder: '',
  });
  const { name, tags, folderId, newFolder } = form.values;
  const save = useMutation({
    mutationFn: async () => {
      const wanted = newFolder.trim();
      const target = wanted ? (await api.call(createFolder, { body: { name: wanted } })).data.directoryId : folderId;
      // Nobody's work on the steps is touched, so it need not be the newest revision.
      return patchJourney(api, journey.journeyId, { name: name.trim(), tags, folderId: target }, null);
    },
    onSuccess: async () => {
      void queries.invalidateQueries(about('folders'));
      await queries.invalidateQueries(about('journeys'));
      form.forget();
      onSaved();
    },
  });
  const isTaken = save.error instanceof ApiFailure && save.error.errorCode === 'FOLDER_ALREADY_EXISTS';
  const [isNameless, setNameless] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setNameless(name.trim() === '');
    if (name.trim() !== '') save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <TypedNotice form={form} />
        <TextInput
          label={t.name}
          required
          maxLength={255}
          value={name}
          readOnly={isReadOnly}
          error={isNameless ? t.enterName : undefined}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
        <TagsInput
          label={t.tags}
          placeholder={isReadOnly ? '' : t.tagsHint}
          data={knownTags.filter((tag) => !tags.includes(tag))}
          value={tags}
          readOnly={isReadOnly}
          maxTags={50}
          onChange={(next) =>
            form.set({ tags: next.map((tag) => tag.trim().slice(0, 64)).filter((tag) => tag !== '') })
          }
        />
        <Select
          label={t.folder}
          placeholder={t.noFolder}
          data={folders.choices}
          value={folderId}
          onChange={(next) => form.set({ folderId: next })}
          readOnly={isReadOnly}
          disabled={newFolder.trim() !== ''}
          searchable
          clearable={!isReadOnly}
          clearButtonProps={{ 'aria-label': t.noFolder }}
        />
        {!isReadOnly && (
          <TextInput
            label={t.newFolder}
            value={newFolder}
            maxLength={255}
            error={isTaken ? t.folderTaken : undefined}
            onChange={(event) => form.set({ newFolder: event.currentTarget.value })}
          />
        )}
        {save.error && !isTaken && (
          <Text c="var(--bad)" role="alert">
            {save.error.message}
          </Text>
        )}
        {!isReadOnly && (
          <Group gap="xs" justify="flex-end">
            {children}
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
