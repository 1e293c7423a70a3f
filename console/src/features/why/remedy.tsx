// What a person can do about a piece of evidence: a button that does it, or a link to where it is done. Who may not is told who may.
import { Anchor, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { resumeSending } from '@rapport/contract';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { remedies as t } from '../../texts/why.ts';
import { LiftDialog } from './lift-dialog.tsx';
import { type Fact, remedyOf } from './remedies.ts';
import classes from './why.module.css';
import type { WhyAnswer } from './why-api.ts';

interface RemedyProps {
  fact: Fact;
  contact: WhyAnswer['contact'];
  /** Asks again: the answer may be another now. */
  onChanged: () => void;
}

export function Remedy({ fact, contact, onChanged }: RemedyProps) {
  const { canWrite, isAdmin } = useRights();
  const { label, to, isForAdmins } = remedyOf(fact, contact.contactId);
  const mayDo = canWrite && (isAdmin || !isForAdmins);
  if (!mayDo)
    return (
      <Text size="sm" c="dimmed" mt={4}>
        {isForAdmins ? t.askAdmin(label) : t.askMember(label)}
      </Text>
    );
  if (to)
    return (
      <Anchor component={Link} href={to} className={classes.remedy ?? ''}>
        {label}
      </Anchor>
    );
  if (fact.code === 'sendingPaused') return <Resume label={label} onChanged={onChanged} />;
  return <Lift label={label} fact={fact} contact={contact} onChanged={onChanged} />;
}

function Resume({ label, onChanged }: { label: string; onChanged: () => void }) {
  const api = useApi();
  const resume = useAction({
    act: () => api.call(resumeSending),
    refresh: ['sending'],
    said: t.resumed,
    onDone: onChanged,
  });
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.remedy ?? ''}
      loading={resume.isPending}
      onClick={() => resume.mutate()}
    >
      {label}
    </Button>
  );
}

function Lift({ label, ...lifted }: RemedyProps & { label: string }) {
  const [isAsking, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" className={classes.remedy ?? ''} onClick={dialog.open}>
        {label}
      </Button>
      {isAsking && <LiftDialog {...lifted} onClose={dialog.close} />}
    </>
  );
}
