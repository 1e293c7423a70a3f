// A person who came by a link has nothing to come back with: they are asked once for a password. Their answer is remembered in this browser.
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.tsx';
import { t } from '../../texts/shell.ts';

const prefix = 'rapport-no-password-nudge:';

export function PasswordNudge() {
  const { who } = useSession();
  const { me } = useRights();
  const [path] = useLocation();
  const [isDismissed, setDismissed] = useState(false);
  if (!who?.person.needsPassword || !me || path === '/account' || isDismissed) return null;
  const key = `${prefix}${me.workspace.tenantId}:${me.account.accountId}`;
  if (isKept(key)) return null;
  const dismiss = () => {
    setDismissed(true);
    keep(key);
  };
  return (
    <Alert radius={0} role="status" withCloseButton closeButtonLabel={t.noPassword} onClose={dismiss}>
      <Group gap="xs" justify="space-between">
        {t.needsPassword}
        <Button component={Link} href="/account" size="xs">
          {t.setPassword}
        </Button>
      </Group>
    </Alert>
  );
}

// A browser that forbids storage throws as soon as it is accessed: then it lasts for the page.
function isKept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string): void {
  try {
    localStorage.setItem(key, 'yes');
  } catch {
    // See above.
  }
}
