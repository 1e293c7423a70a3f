import { Alert, Button, Checkbox, Code, Divider, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { ApiFailure } from '@rapport/client';
import { listFolders } from '@rapport/contract';
import { type FormEvent, useEffect, useState } from 'react';
import { createApi } from '../../api.ts';
import { useSession } from '../../session/session.tsx';
import { ColorSchemeSwitch } from '../../shell/color-scheme-switch.tsx';
import iconUrl from '../../theme/icon.svg';
import classes from './sign-in-page.module.css';

export function SignInPage() {
  const { signIn, notice } = useSession();
  const [token, setToken] = useState('');
  const [keep, setKeep] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Rapport';
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim();
    if (!given) return setError('Paste a token first.');
    setBusy(true);
    const refusal = await refusalOf(given);
    setBusy(false);
    if (refusal) setError(refusal);
    else signIn(given, keep);
  };

  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <img src={iconUrl} alt="" width={36} height={36} />
        <Title order={1} mt="md">
          Sign in to Rapport
        </Title>
        {notice && !error && (
          <Alert color="yellow" mt="md" role="status" classNames={{ message: classes.notice ?? '' }}>
            {notice}
          </Alert>
        )}
        <Button component="a" href={signInAddress()} size="md" fullWidth mt="lg">
          Continue with email or single sign-on
        </Button>
        <Divider my="lg" label="or with a token of your workspace" />
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <PasswordInput
              label="Token"
              placeholder="rpt_pat_…"
              name="token"
              autoComplete="off"
              spellCheck={false}
              value={token}
              error={error}
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the token' }}
              onChange={(event) => {
                setToken(event.currentTarget.value);
                setError(undefined);
              }}
            />
            <Checkbox
              label="Keep me signed in for this tab"
              description="Otherwise a reload signs you out."
              checked={keep}
              onChange={(event) => setKeep(event.currentTarget.checked)}
            />
            <Button type="submit" variant="default" size="md" fullWidth loading={busy}>
              Sign in with the token
            </Button>
          </Stack>
        </form>
        <Text size="sm" c="dimmed" mt="lg" className={classes.hint}>
          Trying Rapport out? Where the service was started, it prints a link that signs you in, beside “Sign in”, and
          the token of the demo workspace, which is also in the file <Code>data/demo-token</Code>.
        </Text>
      </div>
      <ColorSchemeSwitch />
    </main>
  );
}

/** Back to where the link led. */
function signInAddress(): string {
  return `/oauth/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
}

/** Asks for one folder: the smallest read there is. */
async function refusalOf(token: string): Promise<string | undefined> {
  // A header cannot carry anything else, and no token has it.
  if (!/^[\x21-\x7e]+$/.test(token)) return 'This is not a token: it has spaces or special characters in it.';
  try {
    const api = createApi({ current: async () => token }, () => undefined);
    await api.page(listFolders, { query: { pageSize: 1 } });
    return undefined;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return 'This token may not read. The console needs READ.';
    return (error as Error).message;
  }
}
