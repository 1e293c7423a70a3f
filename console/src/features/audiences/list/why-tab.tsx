import { Skeleton, Text } from '@mantine/core';
import { explainDynamicList } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/audience.ts';
import { ContactPicker, contactName, useContact } from '../live/contact-picker.tsx';
import { Nodes } from '../live/nodes.tsx';

/** For any contact, why it is or is not in the list, condition by condition. The address names the contact, so it can be shared. */
export function WhyTab({ id }: { id: string }) {
  const api = useApi();
  const { param, setParam } = usePageParams();
  const contactId = param('contact');
  const { data: contact } = useContact(contactId);
  const query = useQuery({
    ...dataOf(api, explainDynamicList, { params: { id }, query: { contactId: contactId ?? '' } }),
    enabled: contactId !== undefined,
  });
  return (
    <Card title={t.whyFor}>
      <ContactPicker label={t.contact} contactId={contactId} onChange={(next) => setParam('contact', next)} />
      {contactId === undefined && (
        <Text c="dimmed" mt="xs">
          {t.whyHint}
        </Text>
      )}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} compact />}
      {contactId !== undefined && !query.data && !query.error && <Skeleton height={18} mt="md" />}
      {query.data && (
        <>
          <Nodes name={contact ? contactName(contact) : t.contact} holds={query.data.holds} nodes={query.data.nodes} />
          {query.data.isMember !== query.data.holds && (
            <Text c="var(--warn)" mt="sm">
              {query.data.isMember ? t.storedIn : t.storedNot}
            </Text>
          )}
        </>
      )}
    </Card>
  );
}
