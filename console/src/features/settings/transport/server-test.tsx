import { Alert, Button, Text, TextInput } from '@mantine/core';
import { type BodyValue, testWorkspaceTransport } from '@rapport/contract';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { transport as t } from '../../../texts/settings-sending.ts';
import classes from './transport.module.css';

type Server = Omit<BodyValue<typeof testWorkspaceTransport>, 'from' | 'to'>;

interface ServerTestProps {
  /** What is tried: the fields of a form, or nothing for the saved server. Undefined: something is missing, and the form says what. */
  server: () => Server | undefined;
}

/** Tries a mail server with a real mail, and says what failed and what to do. */
export function ServerTest({ server }: ServerTestProps) {
  const api = useApi();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const given = (text: string) => (text.trim() === '' ? undefined : text.trim());
  const trial = useAction({
    act: async (body: Server) =>
      (await api.call(testWorkspaceTransport, { body: { ...body, from: given(from), to: given(to) } })).data,
    isToldInPlace: true,
  });
  const test = () => {
    const body = server();
    if (body && !trial.isPending) trial.mutate(body);
  };
  return (
    <section className={classes.trial} aria-label={t.test}>
      <div className={classes.pair}>
        <TextInput
          label={t.testFrom}
          placeholder={t.testFromHint}
          type="email"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label={t.testTo}
          placeholder={t.testToHint}
          type="email"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      <Button variant="default" loading={trial.isPending} onClick={test}>
        {t.runTest}
      </Button>
      <div aria-live="polite">
        <Fault text={trial.error?.message} />
        {trial.data && !trial.isPending && <Told told={trial.data} />}
      </div>
    </section>
  );
}

function Told({ told: { ok, message, reply } }: { told: { ok: boolean; message: string; reply: string | null } }) {
  return (
    <Alert color={ok ? 'green' : 'red'} title={ok ? t.works : t.fails}>
      {message}
      {reply !== null && (
        <Text size="sm" mt="xs">
          {t.serverSaid} <code>{reply}</code>
        </Text>
      )}
    </Alert>
  );
}
