import { TextInput } from '@mantine/core';
import { createOrganization } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { TypedNotice } from '../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/organizations.ts';

export function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const form = useTyped('organization', { name: '', orgId: '' });
  const { name, orgId } = form.values;
  const [isAsked, setAsked] = useState(false);
  const isMissing = name.trim() === '';
  const create = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), orgId: orgId.trim() || undefined };
      return (await api.call(createOrganization, { body })).data;
    },
    onSuccess: (made) => {
      form.forget();
      void queries.invalidateQueries(about('organizations'));
      goOn(`/organizations/${encodeURIComponent(made.orgId)}`);
    },
  });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (!isMissing) create.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.createTitle}>
      <DialogForm
        submit={t.create}
        isBusy={create.isPending}
        fault={create.error?.message}
        onSubmit={submit}
        onCancel={cancel}
      >
        <TypedNotice form={form} />
        <TextInput
          label={t.name}
          required
          maxLength={255}
          data-autofocus
          value={name}
          error={isAsked && isMissing ? t.nameWanted : undefined}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t.id}
          description={t.idText}
          maxLength={255}
          value={orgId}
          onChange={(event) => form.set({ orgId: event.currentTarget.value })}
        />
      </DialogForm>
    </Modal>
  );
}
