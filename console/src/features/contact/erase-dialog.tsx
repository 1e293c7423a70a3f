import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { t } from '../../texts/contact.ts';
import { type Contact, eraseContact } from './contact-api.ts';

/** Cannot be undone, so the address has to be typed. */
export function EraseDialog({ contact: { id, email }, onClose }: { contact: Contact; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  return (
    <ConfirmDialog
      title={t.eraseTitle}
      text={t.eraseText}
      confirm={t.eraseConfirm}
      isDisabled={typed.trim().toLowerCase() !== email}
      act={() => eraseContact(api, id)}
      onDone={() => {
        navigate('/contacts', { replace: true });
        // Cached data about the contact is dropped, not fetched again: nothing is left to fetch.
        queries.removeQueries(about('contacts', id));
        void queries.invalidateQueries({ ...about('contacts'), refetchType: 'none' });
        void queries.invalidateQueries({ ...about('messages'), refetchType: 'none' });
      }}
      said={t.erased(email)}
      onClose={onClose}
    >
      <TextInput
        label={t.eraseField(email)}
        value={typed}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
