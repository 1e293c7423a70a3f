// The languages of an email: which one is being edited, more of them, fewer of them, and what is not translated.
import { ActionIcon, Alert, Button, SegmentedControl, Text } from '@mantine/core';
import { memo, useCallback, useState } from 'react';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { AlertIcon, GlobeIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t as emailWords } from '../../../texts/emails.ts';
import { languageName, t } from '../../../texts/languages.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { AddLanguageDialog } from './add-language-dialog.tsx';
import classes from './language-bar.module.css';
import { newTranslation, stillMissing } from './translations.ts';

interface LanguageBarProps {
  work: EmailDraft;
  language: string | undefined;
  isReadOnly: boolean;
  onChoose: (language: string | undefined) => void;
}

const own = 'own';

export function LanguageBar({ work, language, isReadOnly, onChoose }: LanguageBarProps) {
  const { draft, errors, edit } = work;
  const [open, setOpen] = useState<'add' | 'remove'>();
  const tags = Object.keys(draft.languages);
  const close = () => setOpen(undefined);
  const ask = useCallback(() => setOpen('add'), []);
  if (isReadOnly && tags.length === 0) return null;
  const nameOfOwn = draft.design?.theme?.lang ? languageName(draft.design.theme.lang) : t.own;
  return (
    <section aria-label={t.bar} className={classes.section}>
      <div className={classes.bar}>
        {tags.length > 0 && (
          <SegmentedControl
            aria-label={t.bar}
            className={classes.tags ?? ''}
            value={language ?? own}
            data={[
              { value: own, label: nameOfOwn },
              ...tags.map((tag) => ({ value: tag, label: <Tag tag={tag} missing={missingOf(work, tag).length} /> })),
            ]}
            onChange={(value) => onChoose(value === own ? undefined : value)}
          />
        )}
        {!isReadOnly && <AddButton onClick={ask} />}
        {!isReadOnly && language !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.remove(languageName(language))}
            title={t.remove(languageName(language))}
            onClick={() => setOpen('remove')}
          >
            <TrashIcon />
          </ActionIcon>
        )}
      </div>
      {errors.languages && (
        <Text c="var(--bad)" role="alert">
          {errors.languages}
        </Text>
      )}
      {language !== undefined && <Missing missing={missingOf(work, language)} />}
      {open === 'add' && (
        <AddLanguageDialog
          taken={tags}
          onAdd={(tag) => {
            edit((now) => ({ ...now, languages: { ...now.languages, [tag]: newTranslation(tag, now) } }));
            onChoose(tag);
          }}
          onClose={close}
        />
      )}
      {open === 'remove' && language !== undefined && (
        <ConfirmDialog
          title={t.removeTitle(languageName(language))}
          text={t.removeText}
          confirm={t.remove(languageName(language))}
          act={() => undefined}
          onDone={() => {
            edit((now) => {
              const { [language]: _, ...languages } = now.languages;
              return { ...now, languages };
            });
            onChoose(undefined);
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Not drawn again with every edit of the email. */
const AddButton = memo(function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<GlobeIcon size={14} />} onClick={onClick}>
      {t.add}
    </Button>
  );
});

/** What of a translation is not translated, as far as it is known without a save. */
export function missingOf({ draft, email }: EmailDraft, tag: string): string[] {
  const translation = draft.languages[tag];
  return translation ? stillMissing(draft, translation, email.languages?.[tag]?.missing ?? []) : [];
}

function Tag({ tag, missing }: { tag: string; missing: number }) {
  return (
    <span className={classes.tag}>
      {languageName(tag)}
      {missing > 0 && (
        <span className={classes.warn} title={t.missingCount(missing)} role="img" aria-label={t.missingCount(missing)}>
          <AlertIcon size={13} />
        </span>
      )}
    </span>
  );
}

function Missing({ missing }: { missing: readonly string[] }) {
  if (missing.length === 0) return null;
  const texts = missing.filter((place) => place.includes('.')).length;
  const parts = [
    ...missing
      .filter((place) => !place.includes('.'))
      .map((field) =>
        field === 'subject' || field === 'preheader' ? emailWords.fields[field].toLowerCase() : t.contentMissing,
      ),
    ...(texts > 0 ? [t.missingTexts(texts)] : []),
  ];
  return (
    <Alert role="status" classNames={{ root: classes.notice ?? '', message: classes.noticeText ?? '' }}>
      {t.missing(parts)}
    </Alert>
  );
}
