// Lets one contact enter by hand.
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { enrollContacts } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { t } from '../../../texts/journeys.ts';
import { t as words } from '../../../texts/shared.ts';
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
  const [contactId, setContactId] = useState<string>();
  const [fault, setFault] = useState<string>();
  const enrol = useMutation({
    mutationFn: async (id: string) =>
      (await api.call(enrollContacts, { params: { id: journeyId }, body: { contactIds: [id] } })).data,
    onSuccess: ({ enrolled }) => {
      if (enrolled === 0) return setFault(t.notEnrolled);
      notifications.show({ message: t.enrolled });
      void queries.invalidateQueries({ queryKey: keys.journeys.one(journeyId) });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (contactId === undefined) setFault(t.chooseContact);
    else enrol.mutate(contactId);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>{t.enrolText}</Text>
        <ContactSelect
          label={t.contact}
          value={contactId}
          error={fault ?? enrol.error?.message}
          isFocused
          onChange={(value) => {
            setContactId(value);
            setFault(undefined);
            enrol.reset();
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={enrol.isPending}>
            {t.enrolIt}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
