// Why a person sees the sign-in page although they were signed in.
import { Alert } from '@mantine/core';
import type { Ending } from '../../api/session/session.tsx';
import { t } from '../../texts/sign-in.ts';
import classes from './sign-in.module.css';

const words = {
  out: [t.signedOut, ''],
  session: [t.sessionEnded, t.sessionEndedText],
  token: [t.tokenEnded, t.tokenEndedText],
} as const;

export function EndingNotice({ ending: { how, was } }: { ending: Pick<Ending, 'how' | 'was'> }) {
  const [title, text] = words[how];
  return (
    <Alert
      color={how === 'out' ? 'green' : 'yellow'}
      title={title}
      mb="md"
      role="status"
      classNames={{ title: classes.notice ?? '', message: classes.notice ?? '' }}
    >
      {text && `${was ? `${t.wasAs(was.person, was.workspace)} ` : ''}${text}`}
    </Alert>
  );
}
