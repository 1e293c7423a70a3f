import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '@rapport/client';
import { type SuppressionReason, suppressAddress } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';
import { suppressionWords, t } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';
import { noTransition } from '../../theme/theme.ts';

/** A 400 is about the address: nothing else was typed. */
const isOurs = (error: Error) => error instanceof ApiFailure && error.status === 400;
const reasons = Object.entries(suppressionWords).map(([value, { label }]) => ({
  value: value as SuppressionReason,
  label,
}));
const looksLikeAddress = /^\S+@\S+$/;

export function SuppressDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState<SuppressionReason>('manual');
  const [fault, setFault] = useState<string>();
  const add = useMutation({
    mutationFn: () => api.call(suppressAddress, { params: { email: email.trim() }, body: { reason } }),
    onSuccess: async ({ data }) => {
      onClose();
      notifications.show({ message: t.suppressed(data.email) });
      await queries.invalidateQueries({ queryKey: keys.suppressions.all });
    },
    onError: (error) => setFault(isOurs(error) ? t.addressMissing : error.message),
  });
  return (
    <Modal opened onClose={onClose} title={t.add} {...noTransition}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (looksLikeAddress.test(email.trim())) add.mutate();
          else setFault(t.addressMissing);
        }}
      >
        <Stack gap="md">
          <Text>{t.addText}</Text>
          <TextInput
            type="email"
            label={t.address}
            value={email}
            error={fault}
            data-autofocus
            onChange={(event) => {
              setFault(undefined);
              setEmail(event.currentTarget.value);
            }}
          />
          <Select
            label={t.reason}
            data={reasons}
            value={reason}
            allowDeselect={false}
            onChange={(value) => value && setReason(value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
