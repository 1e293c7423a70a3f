// The workspace of this tab, and a switch for users who have several.
import { Menu, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.tsx';
import { CheckIcon, ChevronDownIcon } from '../../shared/icons.tsx';
import { leaveFor } from '../../shared/leave-guard.ts';
import { t } from '../../texts/shell.ts';
import iconUrl from '../../theme/icon.svg';
import { noTransition } from '../../theme/theme.ts';
import classes from './shell.module.css';

export function WorkspaceSwitch() {
  const { who, enterWorkspace } = useSession();
  const { me } = useRights();
  const enter = (tenantId: number) =>
    enterWorkspace(tenantId).catch(() => notifications.show({ color: 'red', message: t.notEntered }));
  const name = who?.workspace.name ?? me?.workspace.name ?? '';
  const label = (
    <>
      <img src={iconUrl} alt="" width={24} height={24} />
      <span className={classes.workspaceName}>{name || t.rapport}</span>
    </>
  );
  // A token belongs to one workspace.
  if (!who || who.workspaces.length < 2) return <div className={classes.workspace}>{label}</div>;
  return (
    <Menu position="bottom-start" width={220} {...noTransition}>
      <Menu.Target>
        <UnstyledButton className={classes.workspace} aria-label={`${t.workspace}: ${name}`}>
          {label}
          <ChevronDownIcon size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {who.workspaces.map(({ tenantId, name: each }) => (
          <Menu.Item
            key={tenantId}
            leftSection={
              tenantId === who.workspace.tenantId ? <CheckIcon size={14} /> : <span className={classes.noCheck} />
            }
            onClick={() => leaveFor(() => void enter(tenantId))}
          >
            {each}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
