import { Select, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { allTopics } from '../../../api/everything.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useFolders } from '../../../shared/folders/use-folders.ts';
import { t } from '../../../texts/emails.ts';
import { t as languageWords } from '../../../texts/languages.ts';
import { t as topicWords } from '../../../texts/topics.ts';
import { isSameJson } from '../design/model/same.ts';
import type { TextField } from '../draft.ts';
import type { TextsWork } from '../languages/use-texts.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import type { Variables } from '../use-variables.ts';
import classes from './details-form.module.css';
import type { Problems } from './problems.ts';
import { SenderField } from './sender-field.tsx';
import { TemplateField } from './template-field.tsx';

const folded = ['fromEmail', 'fromName', 'replyTo', 'folderId', 'topicId'] as const;

interface DetailsFormProps {
  work: EmailDraft;
  texts: TextsWork;
  problems: Problems;
  variables: Variables;
  isReadOnly: boolean;
}

/** Not drawn again with every key in the content below. */
export const DetailsForm = memo(function DetailsForm({
  work,
  texts,
  problems,
  variables,
  isReadOnly,
}: DetailsFormProps) {
  const { draft, errors, change } = work;
  const [isUnfolded, setIsUnfolded] = useState(false);
  const input = (field: TextField) => ({
    label: t.fields[field],
    value: draft[field],
    error: errors[field],
    readOnly: isReadOnly,
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
  });
  const isOwn = texts.language === undefined;
  const template = (field: 'subject' | 'preheader') => ({
    ...{ label: t.fields[field], value: texts.fields[field], variables, isReadOnly },
    error: isOwn ? errors[field] : undefined,
    problems: problems[field] ?? [],
    onChange: (value: string) => texts.change({ [field]: value }),
  });
  // An error is never hidden.
  const isOpen = isUnfolded || folded.some((field) => errors[field]);
  return (
    <section aria-label={t.details} className={classes.details}>
      <TemplateField
        required={isOwn}
        placeholder={isOwn ? '' : draft.subject || languageWords.ownText}
        {...template('subject')}
      />
      <TemplateField
        placeholder={isOwn ? t.preheaderHint : draft.preheader || t.preheaderHint}
        {...template('preheader')}
      />
      {/* The sender is the same in every language. */}
      <div className={classes.box} hidden={!isOwn}>
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
}, isSame);

/** What changes the email takes it as it is then, so an older one does, too. */
function isSame(one: DetailsFormProps, other: DetailsFormProps): boolean {
  const { design: _, html: __, languages: ___, ...details } = one.work.draft;
  const now: Readonly<Record<string, unknown>> = { ...other.work.draft };
  return (
    Object.entries(details).every(([name, value]) => now[name] === value) &&
    isSameJson(one.work.errors, other.work.errors) &&
    one.texts.language === other.texts.language &&
    isSameJson(one.texts.fields, other.texts.fields) &&
    one.problems === other.problems &&
    one.variables === other.variables &&
    one.isReadOnly === other.isReadOnly
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
