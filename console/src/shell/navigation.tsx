import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../session/session.tsx';
import { BookIcon, MailIcon, OutboxIcon, SignOutIcon } from '../shared/icons.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './shell.module.css';
import { useSignOut } from './use-sign-out.ts';
import { WhoIsHere } from './who-is-here.tsx';

export function Navigation() {
  const { api, who } = useSession();
  const signOut = useSignOut();
  return (
    <>
      <nav aria-label="Main" className={classes.links}>
        <Place to="/emails" icon={<MailIcon size={18} />}>
          Emails
        </Place>
        <Place to="/outbox" icon={<OutboxIcon size={18} />}>
          Outbox
        </Place>
      </nav>
      <div className={classes.foot}>
        {who && <WhoIsHere who={who} />}
        <a href="/docs" target="_blank" rel="noreferrer" className={classes.link}>
          <BookIcon size={18} />
          API reference
        </a>
        {api && (
          <UnstyledButton className={classes.link} onClick={signOut}>
            <SignOutIcon size={18} />
            Sign out
          </UnstyledButton>
        )}
        <div className={classes.scheme}>
          <ColorSchemeSwitch />
        </div>
      </div>
    </>
  );
}

function Place({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  const [path] = useLocation();
  const isHere = path === to || path.startsWith(`${to}/`);
  return (
    <Link href={to} className={classes.link ?? ''} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {icon}
      {children}
    </Link>
  );
}
