import { Select, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { DraftField } from '../draft.ts';
import type { DraftWork } from '../use-draft.ts';
import { useFolders } from '../use-folders.ts';
import classes from './details-form.module.css';
import type { Problems } from './problems.ts';

const folded = ['name', 'fromEmail', 'fromName', 'replyTo', 'folderId'] as const;

export function DetailsForm({ work, problems }: { work: DraftWork; problems: Problems }) {
  const { draft, errors, change } = work;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const input = (field: DraftField) => ({
    value: draft[field],
    // What the API refused, else what the live check finds.
    error: errors[field] ?? problems[field]?.[0]?.message,
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
  });
  // A fault is never hidden.
  const isOpen = isUnfolded || folded.some((field) => errors[field]);
  return (
    <section aria-label="Details" className={classes.details}>
      <TextInput label="Subject" required {...input('subject')} />
      <TextInput label="Preheader" placeholder="What inboxes show after the subject" {...input('preheader')} />
      <div className={classes.box}>
        <UnstyledButton
          className={classes.fold ?? ''}
          aria-expanded={isOpen}
          aria-controls="sender-and-filing"
          onClick={() => setIsUnfolded(!isOpen)}
        >
          <span className={classes.foldTitle}>Sender and name</span>
          <span className={classes.summary}>{summaryOf(work)}</span>
        </UnstyledButton>
        <div id="sender-and-filing" className={classes.grid} hidden={!isOpen}>
          <TextInput label="From name" {...input('fromName')} />
          <TextInput label="From address" type="email" required {...input('fromEmail')} />
          <TextInput label="Reply-to" type="email" placeholder="Same as the sender" {...input('replyTo')} />
          <FolderField work={work} />
          <div className={classes.wide}>
            <TextInput label="Name of the email" required placeholder="Contacts do not see it" {...input('name')} />
          </div>
        </div>
      </div>
    </section>
  );
}

function summaryOf({ draft }: DraftWork): string {
  return draft.fromName ? `${draft.fromName} <${draft.fromEmail}>` : draft.fromEmail;
}

function FolderField({ work: { draft, errors, change } }: { work: DraftWork }) {
  const folders = useFolders();
  return (
    <Select
      label="Folder"
      placeholder="No folder"
      data={folders.choices}
      value={draft.folderId || null}
      error={errors.folderId}
      onChange={(value) => change({ folderId: value ?? '' })}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': 'Take out of the folder' }}
    />
  );
}
