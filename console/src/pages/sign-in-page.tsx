import { Anchor, Code, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Seen } from '../api/session/browser-session.ts';
import { useSession } from '../api/session/session.tsx';
import { EmailForm } from '../features/sign-in/email-form.tsx';
import { EndingNotice } from '../features/sign-in/ending-notice.tsx';
import { FirstAdmin } from '../features/sign-in/first-admin.tsx';
import { KnownPerson } from '../features/sign-in/known-person.tsx';
import classes from '../features/sign-in/sign-in.module.css';
import { TokenForm } from '../features/sign-in/token-form.tsx';
import { ColorSchemeSwitch } from '../shared/color-scheme-switch.tsx';
import { t as shell } from '../texts/shell.ts';
import { t } from '../texts/sign-in.ts';
import iconUrl from '../theme/icon.svg';

/** The sign-in page of the service leads here with this, for people who want to use a token. */
const tokenWanted = '#token';

export default function SignInPage() {
  const { ending, look } = useSession();
  const [isFaulty, setFaulty] = useState(false);
  const [seen, setSeen] = useState<Seen>();
  const [byToken, setByToken] = useState((ending?.byToken ?? false) || location.hash === tokenWanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    document.title = t.signInTitle;
    look().then(setSeen, () => undefined);
  }, []);
  const ended = ending ?? (seen?.hasEnded ? { how: 'session' as const } : undefined);
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <img src={iconUrl} alt="" width={28} height={28} />
          {shell.rapport}
        </div>
        <Title order={1}>{t.signIn}</Title>
        {ended && !isFaulty && <EndingNotice ending={ended} />}
        <KnownPerson seen={seen} />
        {seen?.firstAdmin && <FirstAdmin lines={seen.firstAdmin} />}
        {byToken ? <TokenForm onFault={setFaulty} /> : <EmailForm />}
        <div className={classes.ways}>
          {!byToken && <Anchor href="/oauth/forgot">{t.forgot}</Anchor>}
          {!byToken && <Anchor href={`/oauth/sso?next=${encodeURIComponent(here())}`}>{t.sso}</Anchor>}
          <Anchor component="button" type="button" onClick={() => setByToken(!byToken)}>
            {byToken ? t.useEmail : t.useToken}
          </Anchor>
        </div>
        {!seen?.firstAdmin && (
          <Text size="sm" c="dimmed" mt="lg" className={classes.hint}>
            {t.demo} <Code>{t.demoFile}</Code>.
          </Text>
        )}
      </div>
      <ColorSchemeSwitch />
    </main>
  );
}

/** Where the link led. */
function here(): string {
  return location.pathname + location.search;
}
