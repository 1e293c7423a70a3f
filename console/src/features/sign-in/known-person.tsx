// Somebody who is signed in with this browser and still sees the sign-in page, because of a token that ended or for want of a workspace: who
// and where they are, and the way on.
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Seen } from '../../api/session/browser-session.ts';
import { useSession } from '../../api/session/session.tsx';
import { t } from '../../texts/sign-in.ts';
import classes from './sign-in.module.css';

export function KnownPerson() {
  const { look, resume } = useSession();
  const [seen, setSeen] = useState<Seen>();
  const [isBusy, setBusy] = useState(false);
  // Once: who it is does not change while the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    look().then(setSeen, () => undefined);
  }, []);
  if (!seen) return null;
  const { person, workspace } = seen;
  const goOn = async () => {
    setBusy(true);
    if (!(await resume())) setSeen(undefined);
    setBusy(false);
  };
  return (
    <Stack gap="xs" mt="md" className={classes.known}>
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
