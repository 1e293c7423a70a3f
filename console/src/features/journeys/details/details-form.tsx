// Name, tags and folder of a journey: they can change in every state, and change nothing for contacts in it.
import { Select, TagsInput, TextInput } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { createFolder } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { wanted } from '../../../shared/form/faults.ts';
import { FormBody } from '../../../shared/form/form-body.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/journeys.ts';
import { patchJourney } from '../journey-api.ts';
import { useKnownTags } from './use-known-tags.ts';

interface DetailsFormProps {
  journey: { journeyId: string; name: string; tags: readonly string[]; directoryId: string | null };
  said?: string;
  isReadOnly?: boolean;
  onClose?: () => void;
}

export function DetailsForm({ journey, said, isReadOnly = false, onClose }: DetailsFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const folders = useFolders();
  const knownTags = useKnownTags();
  const form = useForm({
    draft: `journey:${journey.journeyId}`,
    initial: { name: journey.name, tags: [...journey.tags], folderId: journey.directoryId, newFolder: '' },
    labels: { name: t.name, tags: t.tags, folderId: t.folder, newFolder: t.newFolder },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: async ({ name, tags, folderId, newFolder }) => {
      const folder = newFolder.trim();
      const target = folder ? (await api.call(createFolder, { body: { name: folder } })).data.directoryId : folderId;
      // The steps are not touched, so it need not be the newest revision.
      await patchJourney(api, journey.journeyId, { name: name.trim(), tags, folderId: target }, null);
      await queries.invalidateQueries(about('journeys'));
    },
    refused: (error) =>
      error instanceof ApiFailure && error.errorCode === 'FOLDER_ALREADY_EXISTS'
        ? { newFolder: t.folderTaken }
        : { form: error.message },
    refresh: ['folders'],
    said,
    onClose,
  });
  const { tags, newFolder } = form.values;
  return (
    <FormBody form={form} {...(isReadOnly ? {} : { submit: t.save })}>
      <TextInput {...form.text('name')} required maxLength={255} readOnly={isReadOnly} />
      <TagsInput
        {...form.choice('tags')}
        placeholder={isReadOnly ? '' : t.tagsHint}
        data={knownTags.filter((tag) => !tags.includes(tag))}
        readOnly={isReadOnly}
        maxTags={50}
        onChange={(next) => form.set({ tags: next.map((tag) => tag.trim().slice(0, 64)).filter((tag) => tag !== '') })}
      />
      <Select
        {...form.choice('folderId')}
        placeholder={t.noFolder}
        data={folders.choices}
        onChange={(next) => form.set({ folderId: next })}
        readOnly={isReadOnly}
        disabled={newFolder.trim() !== ''}
        searchable
        clearable={!isReadOnly}
        clearButtonProps={{ 'aria-label': t.noFolder }}
      />
      {!isReadOnly && <TextInput {...form.text('newFolder')} maxLength={255} />}
    </FormBody>
  );
}
