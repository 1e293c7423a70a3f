import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '@rapport/client';
import { type SuppressionReason, suppressAddress } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { suppressionWords, t } from '../../texts/messages.ts';
import { t as words } from '../../texts/shared.ts';

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
  const form = useTyped('suppression', { email: '', reason: 'manual' as SuppressionReason });
  const { email, reason } = form.values;
  const [fault, setFault] = useState<string>();
  const add = useMutation({
    mutationFn: () => api.call(suppressAddress, { params: { email: email.trim() }, body: { reason } }),
    onSuccess: async ({ data }) => {
      form.forget();
      onClose();
      notifications.show({ message: t.suppressed(data.email) });
      await queries.invalidateQueries(about('suppressions'));
    },
    onError: (error) => setFault(isOurs(error) ? t.addressMissing : error.message),
  });
  return (
    <Modal opened onClose={onClose} title={t.add}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (looksLikeAddress.test(email.trim())) add.mutate();
          else setFault(t.addressMissing);
        }}
      >
        <Stack gap="md">
          <TypedNotice form={form} />
          <Text>{t.addText}</Text>
          <TextInput
            type="email"
            label={t.address}
            value={email}
            error={fault}
            data-autofocus
            onChange={(event) => {
              setFault(undefined);
              form.set({ email: event.currentTarget.value });
            }}
          />
          <Select
            label={t.reason}
            data={reasons}
            value={reason}
            allowDeselect={false}
            onChange={(value) => value && form.set({ reason: value })}
          />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              onClick={() => {
                form.forget();
                onClose();
              }}
            >
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
