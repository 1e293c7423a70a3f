// The person and the workspace, at the foot of the navigation; and the way to another workspace for those who have several.
import { NativeSelect, Text } from '@mantine/core';
import type { SignedIn } from '../session/browser-session.ts';
import { leaveFor } from '../session/leave-guard.ts';
import { useSession } from '../session/session.tsx';
import classes from './shell.module.css';

export function WhoIsHere({ who: { person, workspace, workspaces } }: { who: SignedIn }) {
  const { enterWorkspace } = useSession();
  return (
    <div className={classes.who}>
      {workspaces.length > 1 ? (
        <NativeSelect
          aria-label="Workspace"
          size="sm"
          value={String(workspace.tenantId)}
          data={workspaces.map(({ tenantId, name }) => ({ value: String(tenantId), label: name }))}
          onChange={(event) => {
            const tenantId = Number(event.currentTarget.value);
            leaveFor(() => void enterWorkspace(tenantId));
          }}
        />
      ) : (
        <Text size="sm" fw={600} truncate>
          {workspace.name}
        </Text>
      )}
      <a href="/oauth/account" className={classes.person} title={person.email}>
        {person.name}
        <span>{workspace.role}</span>
      </a>
    </div>
  );
}
