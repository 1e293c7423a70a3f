import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useApi } from '../../../session/session.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { type Contact, fetchVariables } from '../email-api.ts';
import type { DraftWork } from '../use-draft.ts';
import classes from './content-tab.module.css';
import { DetailsForm } from './details-form.tsx';
import { PreviewPane } from './preview-pane.tsx';
import { problemsByField } from './problems.ts';
import { usePreview } from './use-preview.ts';

// CodeMirror is the largest part of the console; only here is it needed.
const SourcePane = lazy(() => import('./source-pane.tsx'));

export function ContentTab({ work }: { work: DraftWork }) {
  const { draft, email, errors, change } = work;
  const api = useApi();
  const [contact, setContact] = useState<Contact>();
  const [side, setSide] = useState<'edit' | 'preview'>('edit');
  const variables = useQuery({ queryKey: ['variables'], queryFn: () => fetchVariables(api), staleTime: 60_000 });
  const preview = usePreview(email, draft, contact?.id);
  const problems = useMemo(() => problemsByField(preview.result?.problems ?? []), [preview.result]);
  return (
    <>
      <SegmentedControl
        aria-label="Show"
        className={classes.sides ?? ''}
        fullWidth
        value={side}
        onChange={(value) => setSide(value as typeof side)}
        data={[
          { value: 'edit', label: 'Edit' },
          { value: 'preview', label: 'Preview' },
        ]}
      />
      <div className={classes.columns} data-side={side}>
        <div className={classes.edit}>
          <DetailsForm work={work} problems={problems} />
          <Suspense fallback={<LoadingState label="Loading the editor" />}>
            <SourcePane
              html={draft.html}
              error={errors.html}
              problems={problems.html ?? []}
              variables={variables.data ?? []}
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
