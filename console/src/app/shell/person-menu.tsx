// The signed-in user, their role, and what concerns only them.
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.tsx';
import { ColorSchemeSwitch } from '../../shared/color-scheme-switch.tsx';
import { BookIcon, ChevronDownIcon, PersonIcon, QuestionIcon, SignOutIcon } from '../../shared/icons.tsx';
import { roleNames } from '../../texts/settings.ts';
import { t } from '../../texts/shell.ts';
import { noTransition } from '../../theme/theme.ts';
import classes from './shell.module.css';
import { openShortcuts } from './shortcuts/open-shortcuts.ts';
import { useSignOut } from './use-sign-out.ts';

export function PersonMenu() {
  const { who } = useSession();
  const { me } = useRights();
  const signOut = useSignOut();
  const name = who?.person.name ?? me?.account.name ?? t.token;
  const role = who?.workspace.role ?? me?.account.role;
  return (
    <div className={classes.foot}>
      <Menu position="top-start" width={220} {...noTransition}>
        <Menu.Target>
          <UnstyledButton className={classes.person}>
            {/* Before the visible words, so that people who use voice control can say those. */}
            <VisuallyHidden>{`${t.person}: `}</VisuallyHidden>
            <span className={classes.initial} aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <span className={classes.personName}>
              {name}
              <small>{role ? roleNames[role] : ''}</small>
            </span>
            <ChevronDownIcon size={14} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {who && (
            <Menu.Item component={Link} href="/account" leftSection={<PersonIcon />}>
              {t.account}
            </Menu.Item>
          )}
          <Menu.Item component="a" href="/docs" target="_blank" rel="noreferrer" leftSection={<BookIcon />}>
            {t.reference}
          </Menu.Item>
          <Menu.Item leftSection={<QuestionIcon />} onClick={openShortcuts}>
            {t.shortcuts}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<SignOutIcon />} onClick={signOut}>
            {t.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ColorSchemeSwitch />
    </div>
  );
}
