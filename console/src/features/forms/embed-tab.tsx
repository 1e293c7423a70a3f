import { Anchor, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../shared/copy-button.tsx';
import { t } from '../../texts/forms.ts';
import type { Form } from './form-api.ts';
import classes from './forms.module.css';

export function EmbedTab({ form: { url, embed } }: { form: Form }) {
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text fw={500}>{t.page}</Text>
        <Anchor href={url} target="_blank" rel="noreferrer">
          {url}
        </Anchor>
        <CopyButton text={url} />
      </Group>
      <Text c="dimmed">{t.embedText}</Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre className={classes.embed} tabIndex={0}>
        {embed}
      </pre>
      <Group>
        <CopyButton text={embed} label={t.copyEmbed} />
      </Group>
    </Stack>
  );
}
