import { ActionIcon, Button, Title } from '@mantine/core';
import { removeOrganizationMember } from '@rapport/contract';
import { useMemo, useState } from 'react';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import {
  type Member,
  useMembers,
  useOrganization,
  useSaveOrganization,
} from '../features/organizations/organization-api.ts';
import { OrganizationNames } from '../features/organizations/organization-names.tsx';
import { PropertiesCard } from '../features/organizations/properties/properties-card.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { NameDialog } from '../shared/form/name-dialog.tsx';
import { CloseIcon, EditIcon, PeopleIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PropertyValue } from '../shared/property-value.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/organizations.ts';

export default function OrganizationPage({ params: { id = '' } }: PageParams) {
  const { canWrite } = useRights();
  const { data: organization, error, refetch } = useOrganization(id);
  const save = useSaveOrganization(id);
  const [isRenaming, setRenaming] = useState(false);
  const above = <BackLink href="/organizations" label={t.organizations} />;
  if (error && !organization)
    return (
      <Page title={t.organization} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  const rename = (
    <Button variant="default" leftSection={<EditIcon />} onClick={() => setRenaming(true)}>
      {t.rename}
    </Button>
  );
  return (
    <Page
      title={organization?.name ?? t.organization}
      above={above}
      lead={t.idIs(id)}
      actions={organization && canWrite ? rename : undefined}
    >
      {organization ? (
        <PropertiesCard organization={organization} canWrite={canWrite} />
      ) : (
        <LoadingState label={t.properties} rows={3} />
      )}
      <People orgId={id} organization={organization?.name ?? t.organization} canWrite={canWrite} />
      {isRenaming && organization && (
        <NameDialog
          of={`organization:${id}`}
          title={t.rename}
          name={organization.name}
          onSave={(name) => save({ name })}
          onClose={() => setRenaming(false)}
        />
      )}
    </Page>
  );
}

function People({ orgId, organization, canWrite }: { orgId: string; organization: string; canWrite: boolean }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const members = useMembers(orgId, pageNumber);
  const [leaving, setLeaving] = useState<Member>();
  const columns = useMemo(() => columnsOf(orgId, canWrite ? setLeaving : undefined), [orgId, canWrite]);
  return (
    <>
      <Title order={2}>{t.contacts}</Title>
      <DataTable
        query={members}
        onPage={setPage}
        label={t.contacts}
        columns={columns}
        rowKey={({ userId }) => userId}
        href={({ contactId }) => `/contacts/${contactId}`}
        empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.noPeople} text={t.noPeopleText} />}
      />
      {leaving && (
        <ConfirmDialog
          title={t.removePersonTitle}
          text={t.removePersonText(leaving.email, organization)}
          confirm={t.removeShort}
          act={() => api.call(removeOrganizationMember, { params: { orgId, userId: leaving.userId } })}
          refresh={['organizations']}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

function columnsOf(orgId: string, remove: ((member: Member) => void) | undefined): Column<Member>[] {
  const others = ({ orgIds }: Member) => orgIds.filter((each) => each !== orgId);
  return [
    { id: 'email', title: t.member, cell: ({ email }) => email },
    { id: 'user', title: t.user, cell: ({ userId }) => <PropertyValue value={userId} /> },
    {
      id: 'others',
      title: t.otherOrganizations,
      cell: (member) => <OrganizationNames ids={others(member)} />,
      isEmpty: (member) => others(member).length === 0,
    },
    { id: 'since', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    ...(remove
      ? [
          {
            id: 'remove',
            title: t.removeShort,
            isUntitled: true,
            isIcon: true,
            width: '3.5rem',
            cell: (member: Member) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t.removePerson(member.email)}
                onClick={() => remove(member)}
              >
                <CloseIcon size={14} />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ];
}
