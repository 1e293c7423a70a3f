import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRights } from '../api/session/rights.ts';
import { CreateOrganizationDialog } from '../features/organizations/create-organization-dialog.tsx';
import { type Organization, orders, useOrganizations } from '../features/organizations/organization-api.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { BuildingIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import { PropertyValue } from '../shared/property-value.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable } from '../shared/table/data-table.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { whole } from '../texts/numbers.ts';
import { t } from '../texts/organizations.ts';
import { t as words } from '../texts/shared.ts';

const columns: readonly Column<Organization>[] = [
  // The API cannot sort from Z to A: a second click goes back to the newest.
  { id: 'name', title: t.name, cell: ({ name }) => name, sort: { up: 'name', down: '-createdAt' } },
  { id: 'id', title: t.id, cell: ({ orgId }) => <PropertyValue value={orgId} /> },
  {
    id: 'properties',
    title: t.properties,
    cell: ({ properties }) => whole(Object.keys(properties).length),
    isNumber: true,
    isEmpty: ({ properties }) => Object.keys(properties).length === 0,
  },
  { id: 'created', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'changed', title: t.changed, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

export default function OrganizationsPage() {
  const { canWrite } = useRights();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const [isCreating, dialog] = useDisclosure(false);
  const search = param('search');
  const sort = orders.find((each) => each === param('sort')) ?? '-createdAt';
  const query = useOrganizations({ search, sort, pageNumber });
  const clear = clearing('search');
  const create = canWrite && (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.newOrganization}
    </Button>
  );
  return (
    <Page title={t.organizations} lead={t.lead} actions={create}>
      <Toolbar onClear={clear}>
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(text) => setParam('search', text)}
          className={toolbar.grow}
        />
      </Toolbar>
      <DataTable
        query={query}
        onPage={setPage}
        label={t.organizations}
        columns={columns}
        rowKey={({ orgId }) => orgId}
        href={({ orgId }) => `/organizations/${encodeURIComponent(orgId)}`}
        sort={sort === 'name' ? 'name' : undefined}
        onSort={(next) => setParam('sort', next === 'name' ? next : undefined)}
        empty={
          clear ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState
              icon={<BuildingIcon size={20} />}
              title={t.noOrganizations}
              text={canWrite ? t.noOrganizationsText : words.addedByOthers}
            >
              {create}
            </EmptyState>
          )
        }
      />
      {isCreating && <CreateOrganizationDialog onClose={dialog.close} />}
    </Page>
  );
}
