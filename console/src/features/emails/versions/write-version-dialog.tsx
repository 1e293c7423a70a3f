// Writes what one contact gets instead of the email's content: begins with what they would get now.
import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { listEmailActivity, listVersions, storeVersion } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { answersOf, composedOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { faultsOf, wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { instantText, localText } from '../../../shared/local-time.ts';
import { useEmailNames } from '../../../shared/names/use-names.ts';
import { t } from '../../../texts/versions.ts';
import { ContactPicker } from '../content/contact-picker.tsx';
import { DevicePreview, usualDevice } from '../content/device-preview.tsx';
import { type Contact, fetchPreview } from '../email-api.ts';
import { type VersionTexts, versionHtml } from './version-texts.ts';
import classes from './write-version-dialog.module.css';

interface VersionOf {
  /** Undefined: still to be chosen. */
  assetId: string | undefined;
  contact: Pick<Contact, 'id' | 'email'> | undefined;
}

interface WriteVersionDialogProps {
  of: VersionOf;
  /** What is in force, with its html. */
  stored?: VersionTexts;
  onClose: () => void;
}

/** Asks first which email and whom it is about, as far as that is open. */
export function WriteVersionDialog({ of, stored, onClose }: WriteVersionDialogProps) {
  const [assetId, setAssetId] = useState(of.assetId);
  const [picked, setPicked] = useState<Contact>();
  const emails = useEmailNames();
  const contact = of.contact ?? picked;
  const choice = (
    <>
      {!of.assetId && (
        <Select
          label={t.email}
          data={emails.choices}
          value={assetId ?? null}
          onChange={(id) => setAssetId(id ?? undefined)}
          searchable
          limit={100}
          required
        />
      )}
      {!of.contact && (
        <ContactPicker label={t.contact} hint={t.contactHint} contact={picked} onChange={setPicked} required />
      )}
    </>
  );
  // Another contact, or email, is another version.
  return (
    <VersionForm
      key={`${assetId} ${contact?.id}`}
      {...{ assetId, contact, stored, onClose }}
      choice={!of.assetId || !of.contact ? choice : undefined}
    />
  );
}

const startOf = composedOf(
  'a version to begin with',
  async (api, { assetId, contactId }: { assetId: string; contactId: string }, signal) =>
    versionHtml((await fetchPreview(api, assetId, { contactId, draft: undefined, language: undefined }, signal)).html),
);

const labels = { subject: t.subject, preheader: t.preheader, html: t.html, expiresAt: t.expiresAt, email: t.contact };

interface VersionFormProps extends VersionOf {
  stored: VersionTexts | undefined;
  choice: ReactNode;
  onClose: () => void;
}

function VersionForm({ assetId = '', contact, stored, choice, onClose }: VersionFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const isKnown = assetId !== '' && contact !== undefined;
  const start = useQuery({
    ...startOf(api, { assetId, contactId: contact?.id ?? '' }),
    enabled: isKnown && stored === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({
    draft: `version:${assetId}:${contact?.id ?? ''}`,
    initial: stored ?? { subject: '', preheader: '', html: start.data ?? '', expiresAt: '' },
    labels,
    check: ({ html }) => ({ html: wanted(html, t.enterHtml), form: isKnown ? undefined : t.chooseFirst }),
    send: async ({ subject, preheader, html, expiresAt }) => {
      const own = { ...(subject.trim() ? { subject: subject.trim() } : {}), ...(preheader ? { preheader } : {}) };
      const until = instantText(expiresAt);
      const body = { assetId, email: contact?.email ?? '', html, ...own, ...(until && { expiresAt: until }) };
      await api.call(storeVersion, { body });
      void queries.invalidateQueries(answersOf(listVersions));
      void queries.invalidateQueries(answersOf(listEmailActivity));
    },
    refused: (error) => {
      const { email, form: other, ...faults } = faultsOf(error, labels);
      return { ...faults, form: other ?? email };
    },
    said: t.saved(contact?.email ?? ''),
    onClose,
  });
  return (
    <FormDialog form={form} title={contact ? t.titleFor(contact.email) : t.title} size="xl" submit={t.save}>
      {choice}
      {isKnown && (
        <>
          {start.isFetching && <LoadingState label={t.loading} />}
          {start.error && <ErrorState error={start.error} compact />}
          <TextInput {...form.text('subject')} placeholder={t.sameSubject} maxLength={998} />
          <TextInput {...form.text('preheader')} placeholder={t.samePreheader} maxLength={998} />
          <Textarea
            {...form.text('html')}
            description={t.htmlText}
            required
            spellCheck={false}
            rows={12}
            resize="vertical"
            classNames={{ input: classes.source ?? '' }}
          />
          <TextInput {...form.text('expiresAt')} type="datetime-local" description={t.expiresText} />
          <Preview html={form.values.html} email={contact.email} />
        </>
      )}
    </FormDialog>
  );
}

function Preview({ html, email }: { html: string; email: string }) {
  const shown = useDeferredValue(html);
  if (shown.trim() === '') return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t.preview}
      </Text>
      <DevicePreview
        html={shown.replaceAll('{{unsubscribe_url}}', '#')}
        device={usualDevice()}
        title={t.previewOf(email)}
      />
    </Stack>
  );
}

export const textsOf = (version: {
  subject: string | null;
  preheader: string | null;
  html?: string;
  expiresAt: string | null;
}): VersionTexts => ({
  subject: version.subject ?? '',
  preheader: version.preheader ?? '',
  html: version.html ?? '',
  expiresAt: localText(version.expiresAt ?? ''),
});
