import { Button, SegmentedControl, Text } from '@mantine/core';
import type { Design } from '@rapport/contract';
import { lazy, Suspense, useMemo, useState } from 'react';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { t } from '../../../texts/emails.ts';
import { t as languageWords } from '../../../texts/languages.ts';
import { blockOfPlace } from '../design/model/places.ts';
import { isSameJson } from '../design/model/same.ts';
import { useCompiled } from '../design/use-compiled.ts';
import type { Contact } from '../email-api.ts';
import { LanguageBar, missingOf } from '../languages/language-bar.tsx';
import { newTranslation } from '../languages/translations.ts';
import { draftTexts, storedTexts, type TextsWork, useLanguage, useTexts } from '../languages/use-texts.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { useVariables } from '../use-variables.ts';
import classes from './content-tab.module.css';
import { DetailsForm } from './details-form.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { problemsByField } from './problems.ts';
import { usePreview } from './use-preview.ts';

// CodeMirror is the largest part of the console, and is needed only here.
const SourcePane = lazy(() => import('./source-pane.tsx'));

// So are the block editor and its text editor.
const DesignPane = lazy(() => import('../design/design-pane.tsx'));

interface ContentProps {
  work: EmailDraft;
  texts: TextsWork;
  isReadOnly: boolean;
}

export function ContentTab({ work, isReadOnly }: Omit<ContentProps, 'texts'>) {
  const { language, setLanguage } = useLanguage(work);
  const texts = useTexts(work, language);
  const { design } = texts;
  // Each language has editors of its own.
  const props = { key: language ?? '', work, texts, isReadOnly };
  return (
    <div className={classes.stack}>
      <LanguageBar {...{ work, language, isReadOnly }} onChoose={setLanguage} />
      {design ? <DesignContent {...props} design={design} /> : <HtmlContent {...props} />}
    </div>
  );
}

function DesignContent({ work, texts, design, isReadOnly }: ContentProps & { design: Design }) {
  const { draft, email } = work;
  const { language, designWork } = texts;
  const [contact, setContact] = useState<Contact>();
  const variables = useVariables();
  // What is saved is shown as it was compiled then. It had no errors, so it is checked only once somebody works on it.
  const isChanged = !isSameJson(design, language === undefined ? email.design : email.languages?.[language]?.design);
  const [isTouched, setTouched] = useState(false);
  const compiled = useCompiled(!isReadOnly && (isChanged || isTouched) ? design : null, language);
  // Not the HTML of the draft, which may be older than a saved block in it.
  const html = (isChanged && compiled.html) || storedTexts(email, language).html;
  const now = { ...draftTexts(draft, email, language), html };
  const preview = usePreview(email, now, { contactId: contact?.id, language });
  const problems = useMemo(() => problemsByField(preview.result?.problems ?? []), [preview.result]);
  const missing = language === undefined ? [] : missingOf(work, language).filter((place) => place.includes('.'));
  // One for each block: a list may have many texts.
  const untranslated = [...new Map(missing.map((place) => [blockOfPlace(design, place), place])).values()];
  const warnings = untranslated.map(
    (place) => ({ place, severity: 'warning', message: languageWords.missingText }) as const,
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus of everything inside comes through here
    <div className={classes.stack} onFocus={() => setTouched(true)}>
      <DetailsForm {...{ work, texts, problems, variables, isReadOnly }} />
      <Suspense fallback={<LoadingState label={t.loadingEditor} />}>
        <DesignPane
          {...{ design, isReadOnly }}
          work={designWork}
          compiled={
            warnings.length > 0 ? { ...compiled, problems: [...(compiled.problems ?? []), ...warnings] } : compiled
          }
          onSavedChange={() => void work.reload().catch(() => undefined)}
          preview={<PreviewPane {...{ draft, preview, contact }} subject={now.subject} onContact={setContact} />}
        />
      </Suspense>
    </div>
  );
}

function HtmlContent({ work, texts, isReadOnly }: ContentProps) {
  const { draft, email, errors } = work;
  const { language, html, change } = texts;
  const [contact, setContact] = useState<Contact>();
  const [side, setSide] = useState<'edit' | 'preview'>('edit');
  const variables = useVariables();
  const now = draftTexts(draft, email, language);
  const preview = usePreview(email, now, { contactId: contact?.id, language });
  const problems = useMemo(() => problemsByField(preview.result?.problems ?? []), [preview.result]);
  return (
    <>
      <SegmentedControl
        aria-label={t.show}
        className={classes.sides ?? ''}
        fullWidth
        value={side}
        onChange={(value) => setSide(value as typeof side)}
        data={[
          { value: 'edit', label: isReadOnly ? t.content : t.edit },
          { value: 'preview', label: t.preview },
        ]}
      />
      <div className={classes.columns} data-side={side}>
        <div className={classes.edit}>
          <DetailsForm {...{ work, texts, problems, variables, isReadOnly }} />
          {language !== undefined && html === null ? (
            <OwnContent {...{ work, language, isReadOnly }} />
          ) : (
            <Suspense fallback={<LoadingState label={t.loadingEditor} />}>
              <SourcePane
                html={html ?? ''}
                error={language === undefined ? errors.html : undefined}
                problems={problems.html ?? []}
                variables={variables}
                isReadOnly={isReadOnly}
                onChange={(changed) => change({ html: changed })}
              />
            </Suspense>
          )}
        </div>
        <div className={classes.preview}>
          <PreviewPane {...{ draft, preview, contact }} subject={now.subject} onContact={setContact} />
        </div>
      </div>
    </>
  );
}

interface OwnContentProps {
  work: EmailDraft;
  language: string;
  isReadOnly: boolean;
}

/** A translation of which only the subject or the preheader was written. */
function OwnContent({ work: { edit }, language, isReadOnly }: OwnContentProps) {
  const translate = () =>
    edit((now) => {
      const { html, design } = newTranslation(language, now);
      const old = now.languages[language];
      return old ? { ...now, languages: { ...now.languages, [language]: { ...old, html, design } } } : now;
    });
  return (
    <div className={classes.own}>
      <Text>{languageWords.ownContent}</Text>
      {!isReadOnly && (
        <Button variant="default" onClick={translate}>
          {languageWords.translateContent}
        </Button>
      )}
    </div>
  );
}
