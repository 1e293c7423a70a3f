import { Alert, Button, Checkbox, Code, Divider, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiFailure } from '@rapport/client';
import { type DataValue, getMe } from '@rapport/contract';
import { type FormEvent, useEffect, useState } from 'react';
import { createApi } from '../api/api.ts';
import { useSession } from '../api/session/session.tsx';
import { FirstAdmin } from '../features/sign-in/first-admin.tsx';
import { KnownPerson } from '../features/sign-in/known-person.tsx';
import classes from '../features/sign-in/sign-in.module.css';
import { ColorSchemeSwitch } from '../shared/color-scheme-switch.tsx';
import { t } from '../texts/sign-in.ts';
import iconUrl from '../theme/icon.svg';

export function SignInPage() {
  const { notice, findFirstAdmin } = useSession();
  const [isFaulty, setFaulty] = useState(false);
  const [firstAdmin, setFirstAdmin] = useState<string[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    document.title = t.signInTitle;
    findFirstAdmin().then(setFirstAdmin, () => undefined);
  }, []);
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <img src={iconUrl} alt="" width={36} height={36} />
        <Title order={1} mt="md">
          {t.signIn}
        </Title>
        {notice && !isFaulty && (
          <Alert color="yellow" mt="md" role="status" classNames={{ message: classes.notice ?? '' }}>
            {notice}
          </Alert>
        )}
        <KnownPerson />
        {firstAdmin && <FirstAdmin lines={firstAdmin} />}
        <Button component="a" href={signInAddress()} size="md" fullWidth mt="lg">
          {t.continueWith}
        </Button>
        <Divider my="lg" label={t.orToken} />
        <TokenForm onFault={setFaulty} />
        {!firstAdmin && (
          <Text size="sm" c="dimmed" mt="lg" className={classes.hint}>
            {t.demo} <Code>{t.demoFile}</Code>.
          </Text>
        )}
      </div>
      <ColorSchemeSwitch />
    </main>
  );
}

function TokenForm({ onFault }: { onFault: (isFaulty: boolean) => void }) {
  const { signIn } = useSession();
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
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
          label={t.token}
          placeholder={t.tokenHint}
          name="token"
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
        <Button type="submit" variant="default" size="md" fullWidth loading={busy}>
          {t.signInWithToken}
        </Button>
      </Stack>
    </form>
  );
}

/** Back to where the link led. */
function signInAddress(): string {
  return `/oauth/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
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
