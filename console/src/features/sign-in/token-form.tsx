// For programs that have a token and people who try one: kept in memory, or for the tab.
import { Button, Checkbox, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '@rapport/client';
import { type DataValue, getMe } from '@rapport/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { createApi } from '../../api/api.ts';
import { useSession } from '../../api/session/session.tsx';
import { t } from '../../texts/sign-in.ts';

export function TokenForm({ onFault }: { onFault: (isFaulty: boolean) => void }) {
  const { signIn } = useSession();
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // It appears because a person asked for it.
  useEffect(() => field.current?.focus(), []);
  const tell = (fault: string | undefined) => {
    setError(fault);
    onFault(fault !== undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim();
    if (!given) return tell(t.pasteFirst);
    setBusy(true);
    const answer = await whoseIs(given);
    setBusy(false);
    if (typeof answer === 'string') return tell(answer);
    signIn(given, keep);
    notifications.show({ message: t.asWhom(answer.account.name, answer.workspace.name) });
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <PasswordInput
          ref={field}
          label={t.token}
          placeholder={t.tokenHint}
          name="token"
          size="md"
          autoComplete="off"
          spellCheck={false}
          value={token}
          error={error}
          visibilityToggleButtonProps={{ 'aria-label': t.showToken }}
          onChange={(event) => {
            setToken(event.currentTarget.value);
            tell(undefined);
          }}
        />
        <Checkbox
          label={t.keep}
          description={t.keepText}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t.signIn}
        </Button>
      </Stack>
    </form>
  );
}

/** Whose token it is, or why it does not work. */
async function whoseIs(token: string): Promise<DataValue<typeof getMe> | string> {
  // A header cannot carry other characters, and no token has any.
  if (!/^[\x21-\x7e]+$/.test(token)) return t.notAToken;
  try {
    return (await createApi({ current: async () => token }, () => undefined).call(getMe)).data;
  } catch (error) {
    return error instanceof ApiFailure && error.status === 403 ? t.mayNotRead : (error as Error).message;
  }
}
