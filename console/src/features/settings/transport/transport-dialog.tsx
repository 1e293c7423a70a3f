import { NumberInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { setWorkspaceTransport } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { TypedNotice } from '../../../shared/drafts/typed-notice.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { transport as t } from '../../../texts/settings-sending.ts';
import { withoutPassword } from './without-password.ts';

export function TransportDialog(props: { opened: boolean; isChange: boolean; onClose: () => void }) {
  const { opened, isChange, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={isChange ? t.change : t.set}>
      <TransportForm isChange={isChange} onClose={onClose} />
    </Modal>
  );
}

interface TransportFields {
  smtpUrl: string;
  rate: string | number;
  connections: string | number;
}

const withoutSecret = ({ smtpUrl, ...rest }: Partial<TransportFields>): Partial<TransportFields> =>
  smtpUrl === undefined ? rest : { ...rest, smtpUrl: withoutPassword(smtpUrl) };

const numberOf = (value: string | number) => (value === '' ? undefined : Number(value));

function TransportForm({ isChange, onClose }: { isChange: boolean; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const form = useTyped<TransportFields>('transport', { smtpUrl: '', rate: '', connections: '' }, withoutSecret);
  const { smtpUrl, rate, connections } = form.values;
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const body = { smtpUrl: smtpUrl.trim(), rate: numberOf(rate), maxConnections: numberOf(connections) };
      return api.call(setWorkspaceTransport, { body });
    },
    onSuccess: () => {
      form.forget();
      void queries.invalidateQueries(about('workspace'));
      void queries.invalidateQueries(about('sending'));
      notifications.show({ message: t.saved });
      onClose();
    },
  });
  const faults = faultsOf(save.error, { smtpUrl: t.url, rate: t.rate, maxConnections: t.connections });
  const cancel = () => {
    form.forget();
    onClose();
  };
  const submit = () => {
    const isAddress = /^smtps?:\/\/./i.test(smtpUrl.trim());
    setMissing(!isAddress);
    if (isAddress) save.mutate();
  };
  return (
    <DialogForm submit={t.save} isBusy={save.isPending} fault={faults.form} onSubmit={submit} onCancel={cancel}>
      <TypedNotice form={form} hasSecret />
      {isChange && <Text c="dimmed">{t.changeNote}</Text>}
      <TextInput
        label={t.url}
        description={t.urlNote}
        placeholder={t.urlHint}
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={smtpUrl}
        error={isMissing ? t.enterUrl : faults.smtpUrl}
        onChange={(event) => form.set({ smtpUrl: event.currentTarget.value })}
      />
      <NumberInput
        label={t.rate}
        description={t.rateNote}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={rate}
        error={faults.rate}
        onChange={(next) => form.set({ rate: next })}
      />
      <NumberInput
        label={t.connections}
        description={t.connectionsNote}
        min={1}
        max={100}
        allowDecimal={false}
        value={connections}
        error={faults.maxConnections}
        onChange={(next) => form.set({ connections: next })}
      />
    </DialogForm>
  );
}
