// A service without any person who can sign in yet: what its operator has to do.
import { Code, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../shared/copy-button.tsx';
import { t } from '../../texts/sign-in.ts';
import classes from './sign-in.module.css';

export function FirstAdmin({ lines }: { lines: readonly string[] }) {
  const text = lines.join('\n');
  return (
    <Stack gap="xs" mb="md" className={classes.known}>
      <Text role="status">{t.nobodyYet}</Text>
      <Code block tabIndex={0} aria-label={t.firstAdminLines}>
        {text}
      </Code>
      <CopyButton text={text} />
      <Text size="sm">{t.firstAdminNext}</Text>
    </Stack>
  );
}
