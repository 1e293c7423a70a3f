import { NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import { setWorkspaceTransport, type TransportSecurity } from '@rapport/contract';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useForm } from '../../../shared/form/use-form.ts';
import { transport as t } from '../../../texts/settings-sending.ts';
import {
  bodyOf,
  fieldsOf,
  type MailServer,
  missingIn,
  type ServerFields,
  serverOf,
  withSecurity,
} from './server-fields.ts';
import { ServerTest } from './server-test.tsx';
import classes from './transport.module.css';

const labels: Record<keyof ServerFields, string> = {
  ...{ host: t.host, port: t.port, security: t.security, user: t.user, password: t.password },
  ...{ rate: t.rate, maxConnections: t.connections },
};
const securities = (Object.keys(t.securities) as TransportSecurity[]).map((value) => ({
  value,
  label: t.securities[value],
}));

/** Changes the mail server, or sets one if there is none. */
export function TransportDialog({ server, onClose }: { server: MailServer | undefined; onClose: () => void }) {
  const api = useApi();
  const [isTried, setTried] = useState(false);
  const form = useForm({
    draft: 'mail-server',
    initial: fieldsOf(server),
    withoutSecrets: ({ password: _password, ...rest }) => rest,
    notKept: t.passwordNotKept,
    labels,
    check: (fields) => missingIn(fields, server),
    send: (fields) => api.call(setWorkspaceTransport, { body: bodyOf(fields) }),
    refresh: ['workspace', 'sending'],
    said: t.saved,
    onClose,
  });
  const missing = missingIn(form.values, server);
  const tried = () => {
    setTried(true);
    return Object.values(missing).some(Boolean) ? undefined : serverOf(form.values);
  };
  const faultOf = (name: 'host' | 'user' | 'password') => form.faults[name] ?? (isTried ? missing[name] : undefined);
  return (
    <FormDialog form={form} title={server ? t.change : t.set} submit={t.save} size="lg">
      <div className={classes.place}>
        <TextInput
          {...form.text('host')}
          error={faultOf('host')}
          placeholder={t.hostHint}
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
        <NumberInput {...form.choice('port')} min={1} max={65_535} allowDecimal={false} hideControls />
      </div>
      <Select
        {...form.choice('security')}
        data={securities}
        allowDeselect={false}
        onChange={(value) => value && form.set(withSecurity(form.values, value))}
      />
      <div className={classes.pair}>
        <TextInput {...form.text('user')} error={faultOf('user')} autoComplete="off" spellCheck={false} />
        <PasswordInput
          {...form.text('password')}
          error={faultOf('password')}
          placeholder={server?.hasPassword ? t.passwordKept : ''}
          autoComplete="new-password"
        />
      </div>
      <div className={classes.pair}>
        <NumberInput {...form.choice('rate')} description={t.rateNote} min={1} max={100_000} allowDecimal={false} />
        <NumberInput
          {...form.choice('maxConnections')}
          description={t.connectionsNote}
          min={1}
          max={100}
          allowDecimal={false}
        />
      </div>
      <ServerTest server={tried} />
    </FormDialog>
  );
}
