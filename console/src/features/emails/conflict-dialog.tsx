// Two people edited the same email. Nobody's work is thrown away without being seen.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Moment } from '../../shared/moment.tsx';
import { SafePreview } from '../../shared/safe-preview.tsx';
import { noTransition } from '../../theme/theme.ts';
import classes from './conflict-dialog.module.css';
import { changedFields, type Draft, draftOf, fieldNames } from './draft.ts';
import type { Email } from './email-api.ts';
import type { DraftWork } from './use-draft.ts';

export function ConflictDialog({ work, theirs }: { work: DraftWork; theirs: Email }) {
  const [isShown, setIsShown] = useState(false);
  const their = draftOf(theirs);
  const different = changedFields(work.draft, their);
  return (
    <Modal
      opened
      onClose={work.keepEditing}
      title="Somebody else saved this email"
      size={isShown ? 'xl' : 'lg'}
      {...noTransition}
    >
      <Stack gap="md">
        <Text>
          It was changed <Moment at={theirs.updatedAt} />, while you were editing. Theirs differs from yours in:{' '}
          <strong>{different.map((field) => fieldNames[field]).join(', ') || 'nothing'}</strong>.
        </Text>
        {isShown && <Theirs their={their} mine={work.draft} />}
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button
              variant="default"
              aria-expanded={isShown}
              onClick={() => setIsShown((shown) => !shown)}
              data-autofocus
            >
              {isShown ? 'Hide theirs' : 'See theirs'}
            </Button>
            <CopyMine html={work.draft.html} />
          </Group>
          <Group gap="xs">
            <Button variant="default" onClick={work.takeTheirs}>
              Discard mine, load theirs
            </Button>
            <Button color="red.8" onClick={() => void work.overwrite()}>
              Keep mine and overwrite
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

function Theirs({ their, mine }: { their: Draft; mine: Draft }) {
  const texts = changedFields(mine, their).filter((field) => field !== 'html' && field !== 'folderId');
  return (
    <>
      {texts.length > 0 && (
        <dl className={classes.fields}>
          {texts.map((field) => (
            <div key={field}>
              <dt>{fieldNames[field]}</dt>
              <dd>{their[field] || 'not set'}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.preview}>
        <SafePreview html={their.html} title="Their HTML" />
      </div>
    </>
  );
}

function CopyMine({ html }: { html: string }) {
  const [said, setSaid] = useState('Copy my HTML');
  const copy = () =>
    // Without HTTPS a browser may offer no clipboard.
    Promise.resolve(navigator.clipboard?.writeText(html) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('Copied'),
      () => setSaid('Could not copy: select it in the editor'),
    );
  return (
    <Button variant="default" onClick={() => void copy()} aria-live="polite">
      {said}
    </Button>
  );
}
