// Enrols one contact by hand.
import { Text } from '@mantine/core';
import { enrollContacts } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { wanted } from '../../../shared/form/faults.ts';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { t } from '../../../texts/journeys.ts';
import { ContactSelect } from './contact-select.tsx';

export function EnrolDialog({ journeyId, onClose }: { journeyId: string; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: `enrol:${journeyId}`,
    initial: { contactId: '' },
    labels: { contactId: t.contact },
    check: ({ contactId }) => ({ contactId: wanted(contactId, t.chooseContact) }),
    send: async ({ contactId }) => {
      const body = { contactIds: [contactId] };
      const { data } = await api.call(enrollContacts, { params: { id: journeyId }, body });
      if (data.enrolled === 0) throw new Error(t.notEnrolled);
    },
    refused: ({ message }) => ({ contactId: message }),
    refresh: ['journeys'],
    said: t.enrolled,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.enrol} submit={t.enrolIt}>
      <Text>{t.enrolText}</Text>
      <ContactSelect
        label={t.contact}
        value={form.values.contactId || undefined}
        error={form.faults.contactId}
        isFocused
        onChange={(value) => form.set({ contactId: value ?? '' })}
      />
    </FormDialog>
  );
}
