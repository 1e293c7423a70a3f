import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { t } from '../../../texts/emails.ts';
import type { Contact } from '../email-api.ts';
import type { EmailDraft } from '../use-email-draft.ts';
import { useVariables } from '../use-variables.ts';
import classes from './content-tab.module.css';
import { DetailsForm } from './details-form.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { problemsByField } from './problems.ts';
import { usePreview } from './use-preview.ts';

// CodeMirror is the largest part of the console, and is needed only here.
const SourcePane = lazy(() => import('./source-pane.tsx'));

export function ContentTab({ work, isReadOnly }: { work: EmailDraft; isReadOnly: boolean }) {
  const { draft, email, errors, change } = work;
  const [contact, setContact] = useState<Contact>();
  const [side, setSide] = useState<'edit' | 'preview'>('edit');
  const variables = useVariables();
  const preview = usePreview(email, draft, contact?.id);
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
          <DetailsForm work={work} problems={problems} variables={variables} isReadOnly={isReadOnly} />
          <Suspense fallback={<LoadingState label={t.loadingEditor} />}>
            <SourcePane
              html={draft.html}
              error={errors.html}
              problems={problems.html ?? []}
              variables={variables}
              isReadOnly={isReadOnly}
              onChange={(html) => change({ html })}
            />
          </Suspense>
        </div>
        <div className={classes.preview}>
          <PreviewPane draft={draft} preview={preview} contact={contact} onContact={setContact} />
        </div>
      </div>
    </>
  );
}
