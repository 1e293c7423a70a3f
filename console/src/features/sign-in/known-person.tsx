// A person signed in with this browser who still sees the sign-in page, because a token ended or there is no workspace: who
// and where they are, and how to continue.
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
  // Once: the person does not change while the page is open.
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
