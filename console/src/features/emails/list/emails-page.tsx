import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listEmails } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useApi } from '../../../session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { FolderIcon, MailIcon, PlusIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { Page } from '../../../shared/page.tsx';
import rowStyles from '../../../shared/rows.module.css';
import { pagedQuery, Rows } from '../../../shared/rows.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import type { EmailRow } from '../email-api.ts';
import { useFolders } from '../use-folders.ts';
import { CreateEmailDialog } from './create-email-dialog.tsx';

export default function EmailsPage() {
  const api = useApi();
  const { pageNumber, param, setParam, setPage } = usePageParams();
  const [creating, dialog] = useDisclosure(false);
  const folders = useFolders();
  const search = param('search');
  const folderId = param('folder');
  const query = useQuery({
    queryKey: ['emails', { search, folderId, pageNumber }],
    queryFn: ({ signal }) => api.page(listEmails, { query: { search, folderId, pageNumber }, signal }),
    ...pagedQuery,
  });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open}>
      New email
    </Button>
  );
  return (
    <Page title="Emails" lead="Every email, and the versions of it that contacts have." actions={create}>
      <search className={rowStyles.toolbar}>
        <SearchBox
          label="Search emails"
          placeholder="Search by name"
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={rowStyles.grow}
        />
        <Select
          aria-label="Folder"
          className={rowStyles.fill ?? ''}
          placeholder="All folders"
          leftSection={<FolderIcon />}
          data={folders.choices}
          value={folderId ?? null}
          onChange={(value) => setParam('folder', value ?? undefined)}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': 'Show all folders' }}
        />
      </search>
      <Rows
        query={query}
        label="Emails"
        columns={[{ title: 'Name' }, { title: 'From' }, { title: 'Folder' }, { title: 'Updated' }]}
        row={(email) => <Row key={email.id} email={email} folder={folders.nameOf(email.directoryId)} />}
        onPage={setPage}
        empty={
          search || folderId ? (
            <EmptyState
              title="Nothing matches"
              text="No email has this in its name. Try fewer letters or another folder."
            />
          ) : (
            <EmptyState
              icon={<MailIcon size={20} />}
              title="No emails yet"
              text="An email is one HTML template. Write the first one here, or create it through the API."
            >
              {create}
            </EmptyState>
          )
        }
      />
      <CreateEmailDialog opened={creating} onClose={dialog.close} />
    </Page>
  );
}

function Row({ email, folder }: { email: EmailRow; folder: string | undefined }) {
  return (
    <tr>
      <td>
        <Link href={`/emails/${email.id}`} className={rowStyles.main ?? ''}>
          {email.name}
        </Link>
        <div className={rowStyles.quiet}>{email.subject}</div>
      </td>
      <td data-label="From" className={rowStyles.quiet}>
        {email.fromEmail.email}
      </td>
      <td data-label="Folder" className={rowStyles.quiet} data-empty={!folder || undefined}>
        {folder ?? '–'}
      </td>
      <td data-label="Updated" className={`${rowStyles.quiet} ${rowStyles.nowrap}`}>
        <Moment at={email.updatedAt} />
      </td>
    </tr>
  );
}
