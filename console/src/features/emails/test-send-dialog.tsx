import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { faults, t } from '../../texts/emails.ts';
import { languageName, t as languageWords } from '../../texts/languages.ts';
import { t as words } from '../../texts/shared.ts';
import { ContactPicker } from './content/contact-picker.tsx';
import { type Contact, compileDesign, sendTest } from './email-api.ts';
import { refusalOf } from './field-errors.ts';
import { designFor, draftTexts, ownLanguage as own } from './languages/use-texts.ts';
import type { EmailDraft } from './use-email-draft.ts';

interface TestSendDialogProps {
  work: Pick<EmailDraft, 'email' | 'draft' | 'isDirty'>;
  /** The one that is being looked at; undefined: the email's own. */
  language?: string | undefined;
  onClose: () => void;
}

export function TestSendDialog({ work, language, onClose }: TestSendDialogProps) {
  const api = useApi();
  const { me } = useRights();
  const [contact, setContact] = useState<Contact>();
  const { draft, email } = work;
  const tags = Object.keys(draft.languages);
  const [chosen, setChosen] = useState(language ?? own);
  const form = useForm({
    draft: `test-send:${work.email.id}`,
    // Usually to oneself.
    initial: { to: me?.account.email ?? '' },
    labels: { to: t.to },
    check: ({ to }) => ({
      to: wanted(to, faults.to) ?? (/^[^\s@]+@[^\s@]+$/.test(to.trim()) ? undefined : faults.notAnAddress),
    }),
    send: async ({ to }) => {
      const tag = chosen === own ? undefined : chosen;
      const texts = draftTexts(draft, email, tag);
      const design = work.isDirty ? designFor(draft, tag) : null;
      const html = design ? await compileDesign(api, design, tag) : texts.html;
      return sendTest(api, email.id, {
        to,
        ...(contact ? { contactId: contact.id } : {}),
        ...(tags.length > 0 ? { language: chosen } : {}),
        ...(work.isDirty ? { draft: { ...texts, html } } : {}),
      });
    },
    refused: (error) => ({ form: refusalOf(error) }),
    refresh: ['outbox'],
    staysOpen: 'answer',
    onClose,
  });
  const { result } = form;
  return (
    <FormDialog
      form={form}
      title={t.sendTestTitle}
      submit={result ? t.sendAgain : t.sendTest}
      cancel={result ? t.done : words.cancel}
    >
      <TextInput {...form.text('to')} type="email" placeholder={t.toHint} required data-autofocus />
      {tags.length > 0 && (
        <Select
          label={languageWords.testIn}
          data={[
            { value: own, label: languageWords.own },
            ...tags.map((tag) => ({ value: tag, label: languageName(tag) })),
          ]}
          value={chosen}
          allowDeselect={false}
          onChange={(value) => value && setChosen(value)}
        />
      )}
      <ContactPicker label={t.renderedFor} contact={contact} onChange={setContact} />
      {work.isDirty && <Text c="dimmed">{t.testDraft}</Text>}
      <div role="status">{result && <Sent {...result} />}</div>
    </FormDialog>
  );
}

function Sent({ transport, to, messageId }: { transport: 'smtp' | 'outbox'; to: string; messageId: string }) {
  if (transport === 'smtp') return <Text c="var(--good)">{t.sentTo(to)}</Text>;
  return (
    <Text c="var(--good)">
      {t.keptInOutbox}{' '}
      <Anchor component={Link} href={`/outbox/${encodeURIComponent(messageId)}`} inherit underline="always">
        {t.lookAtMessage}
      </Anchor>
    </Text>
  );
}
