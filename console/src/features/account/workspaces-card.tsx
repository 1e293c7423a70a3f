import { Anchor, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { OwnAccount } from '../../api/session/own-account.ts';
import { useSession } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { leaveFor } from '../../shared/leave-guard.ts';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/account.ts';
import { roleNames } from '../../texts/settings.ts';
import { t as shell } from '../../texts/shell.ts';
import classes from './account.module.css';

export function WorkspacesCard({ account: { workspaces } }: { account: OwnAccount }) {
  const { who, enterWorkspace } = useSession();
  const enter = (tenantId: number) =>
    enterWorkspace(tenantId).catch(() => notifications.show({ color: 'red', message: shell.notEntered }));
  return (
    <Card title={t.workspaces}>
      <ul className={classes.rows}>
        {workspaces.map(({ tenantId, name, role }) => (
          <li key={tenantId}>
            <span className={classes.names}>
              {name}
              <Text c="dimmed">{roleNames[role]}</Text>
              {/* Another tab may have gone elsewhere. */}
              {tenantId === who?.workspace.tenantId && <ToneBadge tone="info">{t.here}</ToneBadge>}
            </span>
            {tenantId !== who?.workspace.tenantId && (
              <Button
                variant="default"
                size="xs"
                aria-label={t.openWorkspace(name)}
                onClick={() => leaveFor(() => void enter(tenantId))}
              >
                {t.open}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Text mt="sm">
        <Anchor href="/oauth/workspace">{t.otherWays}</Anchor>
      </Text>
    </Card>
  );
}
