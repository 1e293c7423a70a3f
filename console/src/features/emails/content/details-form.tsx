import { Select, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allTopics } from '../../../api/everything.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { t } from '../../../texts/emails.ts';
import { t as topicWords } from '../../../texts/topics.ts';
import type { DraftField } from '../draft.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import type { Variables } from '../use-variables.ts';
import classes from './details-form.module.css';
import type { Problems } from './problems.ts';
import { SenderField } from './sender-field.tsx';
import { TemplateField } from './template-field.tsx';

const folded = ['fromEmail', 'fromName', 'replyTo', 'folderId', 'topicId'] as const;

interface DetailsFormProps {
  work: EmailDraft;
  problems: Problems;
  variables: Variables;
  isReadOnly: boolean;
}

export function DetailsForm({ work, problems, variables, isReadOnly }: DetailsFormProps) {
  const { draft, errors, change } = work;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const input = (field: DraftField) => ({
    label: t.fields[field],
    value: draft[field],
    error: errors[field],
    readOnly: isReadOnly,
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
  });
  const template = (field: 'subject' | 'preheader') => ({
    ...{ label: t.fields[field], value: draft[field], error: errors[field], variables, isReadOnly },
    problems: problems[field] ?? [],
    onChange: (value: string) => change({ [field]: value }),
  });
  // An error is never hidden.
  const isOpen = isUnfolded || folded.some((field) => errors[field]);
  return (
    <section aria-label={t.details} className={classes.details}>
      <TemplateField required {...template('subject')} />
      <TemplateField placeholder={t.preheaderHint} {...template('preheader')} />
      <div className={classes.box}>
        <UnstyledButton
          className={classes.fold ?? ''}
          aria-expanded={isOpen}
          aria-controls="sender-and-filing"
          onClick={() => setIsUnfolded(!isOpen)}
        >
          <span className={classes.foldTitle}>{t.senderAndName}</span>
          <span className={classes.summary}>{summaryOf(work)}</span>
        </UnstyledButton>
        <div id="sender-and-filing" className={classes.grid} hidden={!isOpen}>
          <div className={classes.wide}>
            <SenderField
              value={draft.fromEmail}
              error={errors.fromEmail}
              isReadOnly={isReadOnly}
              onChange={(fromEmail) => change({ fromEmail })}
            />
          </div>
          <TextInput {...input('fromName')} />
          <TextInput type="email" placeholder={t.replyHint} {...input('replyTo')} />
          <FolderField work={work} isReadOnly={isReadOnly} />
          <div className={classes.wide}>
            <TopicField work={work} isReadOnly={isReadOnly} />
          </div>
        </div>
      </div>
    </section>
  );
}

function summaryOf({ draft }: EmailDraft): string {
  return draft.fromName ? `${draft.fromName} <${draft.fromEmail}>` : draft.fromEmail;
}

function FolderField({ work: { draft, errors, change }, isReadOnly }: { work: EmailDraft; isReadOnly: boolean }) {
  const folders = useFolders();
  return (
    <Select
      label={t.folder}
      placeholder={t.noFolder}
      data={folders.choices}
      value={draft.folderId || null}
      error={errors.folderId}
      readOnly={isReadOnly}
      onChange={(value) => change({ folderId: value ?? '' })}
      clearable={!isReadOnly}
      searchable
      clearButtonProps={{ 'aria-label': t.takeOutOfFolder }}
    />
  );
}

/** Says what an email without a topic means, once there are topics to choose from. */
function TopicField({ work: { draft, errors, change }, isReadOnly }: { work: EmailDraft; isReadOnly: boolean }) {
  const api = useApi();
  const { data: topics = [] } = useQuery(allTopics(api));
  const warns = topics.length > 0 && !draft.topicId;
  return (
    <Select
      label={t.fields.topicId}
      placeholder={topicWords.noTopic}
      description={warns ? topicWords.noTopicText : undefined}
      data={topics.map(({ topicId, name }) => ({ value: topicId, label: name }))}
      value={draft.topicId || null}
      error={errors.topicId}
      readOnly={isReadOnly}
      onChange={(value) => change({ topicId: value ?? '' })}
      clearable={!isReadOnly}
      searchable
      clearButtonProps={{ 'aria-label': topicWords.noTopic }}
    />
  );
}
