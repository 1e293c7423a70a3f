// Lets one contact enter by hand.
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { enrollContacts } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { t } from '../../../texts/journeys.ts';
import { ContactSelect } from './contact-select.tsx';

interface EnrolDialogProps {
  journeyId: string;
  opened: boolean;
  onClose: () => void;
}

export function EnrolDialog(props: EnrolDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t.enrol}>
      <EnrolForm {...props} />
    </Modal>
  );
}

function EnrolForm({ journeyId, onClose }: EnrolDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped(`enrol:${journeyId}`, { contactId: '' });
  const { contactId } = form.values;
  const leave = () => {
    form.forget();
    onClose();
  };
  const [fault, setFault] = useState<string>();
  const enrol = useMutation({
    mutationFn: async (id: string) =>
      (await api.call(enrollContacts, { params: { id: journeyId }, body: { contactIds: [id] } })).data,
    onSuccess: ({ enrolled }) => {
      if (enrolled === 0) return setFault(t.notEnrolled);
      notifications.show({ message: t.enrolled });
      void queries.invalidateQueries(about('journeys', journeyId));
      leave();
    },
  });
  const submit = () => {
    if (contactId === '') setFault(t.chooseContact);
    else enrol.mutate(contactId);
  };
  return (
    <DialogForm submit={t.enrolIt} isBusy={enrol.isPending} onSubmit={submit} onCancel={leave}>
      <TypedNotice form={form} />
      <Text>{t.enrolText}</Text>
      <ContactSelect
        label={t.contact}
        value={contactId || undefined}
        error={fault ?? enrol.error?.message}
        isFocused
        onChange={(value) => {
          form.set({ contactId: value ?? '' });
          setFault(undefined);
          enrol.reset();
        }}
      />
    </DialogForm>
  );
}
