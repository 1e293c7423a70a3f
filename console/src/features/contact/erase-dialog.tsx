import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { t } from '../../texts/contact.ts';
import { t as words } from '../../texts/shared.ts';
import { type Contact, eraseContact } from './contact-api.ts';

interface EraseProps {
  opened: boolean;
  contact: Contact;
  onClose: () => void;
}

/** Cannot be undone, so the address has to be typed: nobody does that by mistake. */
export function EraseDialog({ opened, contact: { id, email }, onClose }: EraseProps) {
  const [typed, setTyped] = useState('');
  const erase = useErase(id, email);
  const isSure = typed.trim().toLowerCase() === email;
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t.eraseTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure) erase.mutate();
        }}
      >
        <Stack gap="md">
          <Text>{t.eraseText}</Text>
          <TextInput
            label={t.eraseField(email)}
            value={typed}
            autoComplete="off"
            data-autofocus
            error={erase.error?.message}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button type="submit" color="red.8" disabled={!isSure} loading={erase.isPending}>
              {t.eraseConfirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useErase(id: string, email: string) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => eraseContact(api, id),
    onSuccess: () => {
      notifications.show({ message: t.erased(email) });
      navigate('/contacts', { replace: true });
      // The person's own answers are forgotten, not asked for anew: there is nobody to ask about.
      queries.removeQueries(about('contacts', id));
      void queries.invalidateQueries({ ...about('contacts'), refetchType: 'none' });
      void queries.invalidateQueries({ ...about('messages'), refetchType: 'none' });
    },
  });
}
