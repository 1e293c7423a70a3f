import { NumberInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { setWorkspaceTransport } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { faultsOf } from '../../../shared/form/faults.ts';
import { transport as t } from '../../../texts/settings-sending.ts';

export function TransportDialog(props: { opened: boolean; isChange: boolean; onClose: () => void }) {
  const { opened, isChange, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={isChange ? t.change : t.set}>
      <TransportForm isChange={isChange} onClose={onClose} />
    </Modal>
  );
}

const numberOf = (value: string | number) => (value === '' ? undefined : Number(value));

function TransportForm({ isChange, onClose }: { isChange: boolean; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [smtpUrl, setUrl] = useState('');
  const [rate, setRate] = useState<string | number>('');
  const [connections, setConnections] = useState<string | number>('');
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const body = { smtpUrl: smtpUrl.trim(), rate: numberOf(rate), maxConnections: numberOf(connections) };
      return api.call(setWorkspaceTransport, { body });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.workspace.all });
      notifications.show({ message: t.saved });
      onClose();
    },
  });
  const faults = faultsOf(save.error, { smtpUrl: t.url, rate: t.rate, maxConnections: t.connections });
  const submit = () => {
    const isAddress = /^smtps?:\/\/./i.test(smtpUrl.trim());
    setMissing(!isAddress);
    if (isAddress) save.mutate();
  };
  return (
    <DialogForm submit={t.save} isBusy={save.isPending} fault={faults.form} onSubmit={submit} onCancel={onClose}>
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
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <NumberInput
        label={t.rate}
        description={t.rateNote}
        min={1}
        max={100_000}
        allowDecimal={false}
        value={rate}
        error={faults.rate}
        onChange={setRate}
      />
      <NumberInput
        label={t.connections}
        description={t.connectionsNote}
        min={1}
        max={100}
        allowDecimal={false}
        value={connections}
        error={faults.maxConnections}
        onChange={setConnections}
      />
    </DialogForm>
  );
}
