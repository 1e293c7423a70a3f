import { NumberInput, Text, TextInput } from '@mantine/core';
import { setWorkspaceTransport } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { transport as t } from '../../../texts/settings-sending.ts';
import { withoutPassword } from './without-password.ts';

interface TransportFields {
  smtpUrl: string;
  rate: string | number;
  maxConnections: string | number;
}

const numberOf = (value: string | number) => (value === '' ? undefined : Number(value));

export function TransportDialog({ isChange, onClose }: { isChange: boolean; onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'transport',
    initial: { smtpUrl: '', rate: '', maxConnections: '' } as TransportFields,
    withoutSecrets: ({ smtpUrl, ...rest }) =>
      smtpUrl === undefined ? rest : { ...rest, smtpUrl: withoutPassword(smtpUrl) },
    labels: { smtpUrl: t.url, rate: t.rate, maxConnections: t.connections },
    check: ({ smtpUrl }) => ({ smtpUrl: /^smtps?:\/\/./i.test(smtpUrl.trim()) ? undefined : t.enterUrl }),
    send: ({ smtpUrl, rate, maxConnections }) => {
      const body = { smtpUrl: smtpUrl.trim(), rate: numberOf(rate), maxConnections: numberOf(maxConnections) };
      return api.call(setWorkspaceTransport, { body });
    },
    refresh: ['workspace', 'sending'],
    said: t.saved,
    onClose,
  });
  return (
    <FormDialog form={form} title={isChange ? t.change : t.set} submit={t.save}>
      {isChange && <Text c="dimmed">{t.changeNote}</Text>}
      <TextInput
        {...form.text('smtpUrl')}
        description={t.urlNote}
        placeholder={t.urlHint}
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
      <NumberInput {...form.choice('rate')} description={t.rateNote} min={1} max={100_000} allowDecimal={false} />
      <NumberInput
        {...form.choice('maxConnections')}
        description={t.connectionsNote}
        min={1}
        max={100}
        allowDecimal={false}
      />
    </FormDialog>
  );
}
