import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { deleteForm, getForm, updateForm } from '@rapport/contract';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { dataOf } from '../api/ask.ts';
import { allLists, allTopics } from '../api/everything.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { EmbedTab } from '../features/forms/embed-tab.tsx';
import { type Form, useSubmissionRequests } from '../features/forms/form-api.ts';
import { FormEditor } from '../features/forms/form-editor.tsx';
import { SubmissionsTab } from '../features/forms/submissions-tab.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { useAction } from '../shared/form/use-action.ts';
import { TrashIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { CopyIdItem, MoreMenu } from '../shared/more-menu.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import { t, tabs as titles } from '../texts/forms.ts';
import { t as words } from '../texts/shared.ts';

const ids = ['fields', 'embed', 'submissions'] as const;
type Tab = (typeof ids)[number];
const tabs = ids.map((id) => ({ id, title: titles[id] }));

export default function FormPage({ params: { id = '', tab } }: PageParams) {
  const api = useApi();
  const { canWrite } = useRights();
  const { data: form, error, refetch } = useQuery(dataOf(api, getForm, { params: { formId: id } }));
  // The form offers them, and need not wait for them.
  usePrefetchQuery(allTopics(api));
  usePrefetchQuery(allLists(api));
  const current = tabOf(tabs, tab);
  useSubmissionRequests(id, current === 'submissions');
  const above = <BackLink href="/forms" label={t.forms} />;
  if (error && !form)
    return (
      <Page title={t.form} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page
      title={form?.name ?? t.form}
      above={above}
      lead={form && <State form={form} />}
      actions={form && <Actions form={form} />}
    >
      <PageTabs label={t.parts} base={`/forms/${id}`} tabs={tabs} current={current ?? 'fields'} />
      {!current && <EmptyState title={words.noPage} text={words.noPageText} />}
      {current && !form && <LoadingState label={words.loading} />}
      {current && form && parts[current](form, canWrite)}
    </Page>
  );
}

const parts: Record<Tab, (form: Form, canWrite: boolean) => ReactNode> = {
  fields: (form, canWrite) => <FormEditor key={form.updatedAt} form={form} isReadOnly={!canWrite} />,
  embed: (form) => <EmbedTab form={form} />,
  submissions: (form) => <SubmissionsTab form={form} />,
};

function State({ form: { state } }: { form: Form }) {
  const isOpen = state === 'open';
  return <ToneBadge tone={isOpen ? 'good' : 'quiet'}>{isOpen ? t.opened : t.closed}</ToneBadge>;
}

function Actions({ form }: { form: Form }) {
  const api = useApi();
  const { canWrite } = useRights();
  const [, navigate] = useLocation();
  const [isRemoving, removing] = useDisclosure(false);
  const isOpen = form.state === 'open';
  const params = { formId: form.formId };
  const change = useAction({
    act: () => api.call(updateForm, { params, body: { state: isOpen ? 'closed' : 'open' } }),
    refresh: ['forms'],
    said: isOpen ? t.closedSaid : t.openedSaid,
  });
  return (
    <>
      {isOpen && (
        <Button variant="default" component="a" href={form.url} target="_blank" rel="noreferrer">
          {t.openPage}
        </Button>
      )}
      {canWrite && (
        <>
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
            {isOpen ? t.close : t.open}
          </Button>
          <MoreMenu label={t.more(form.name)} isOfPage>
            <CopyIdItem id={form.formId} />
            <Menu.Item color="red" leftSection={<TrashIcon />} onClick={removing.open}>
              {t.delete}
            </Menu.Item>
          </MoreMenu>
        </>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={t.deleteTitle(form.name)}
          text={t.deleteText}
          confirm={t.delete}
          act={() => api.call(deleteForm, { params })}
          onDone={() => navigate('/forms')}
          refresh={['forms']}
          said={t.deleted(form.name)}
          onClose={removing.close}
        />
      )}
    </>
  );
}
