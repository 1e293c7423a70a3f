// A person signed in with this browser who still sees the sign-in page, because a token ended or there is no workspace: who
// and where they are, and how to continue.
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Seen } from '../../api/session/browser-session.ts';
import { useSession } from '../../api/session/session.tsx';
import { t } from '../../texts/sign-in.ts';
import classes from './sign-in.module.css';

export function KnownPerson({ seen }: { seen: Seen | undefined }) {
  const { resume } = useSession();
  const [isGone, setGone] = useState(false);
  const [isBusy, setBusy] = useState(false);
  if (!seen?.person || isGone) return null;
  const { person, workspace } = seen;
  const goOn = async () => {
    setBusy(true);
    if (!(await resume())) setGone(true);
    setBusy(false);
  };
  return (
    <Stack gap="xs" mb="md" className={classes.known}>
      <Text role="status">
        {workspace ? t.asWhom(`${person.name} (${person.email})`, workspace.name) : t.noWorkspace(person.email)}
      </Text>
      {workspace ? (
        <Button size="md" loading={isBusy} onClick={() => void goOn()}>
          {t.continueAs(person.name)}
        </Button>
      ) : (
        <Button component="a" href="/oauth/workspace" variant="default">
          {t.chooseWorkspace}
        </Button>
      )}
    </Stack>
  );
}
