import { listMessages } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { SendIcon } from '../../shared/icons.tsx';
import { messageColumns, messageHref } from '../../shared/messages/message-columns.tsx';
import { useEmailNames, useJourneyNames, useSendNames } from '../../shared/names/use-names.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t, tabs } from '../../texts/contact.ts';

export function MessagesTab({ id }: { id: string }) {
  const api = useApi();
  const [emails, journeys, sends] = [useEmailNames(), useJourneyNames(), useSendNames()];
  const { pageNumber, setPage } = usePageParams();
  const asked = { contactId: id, pageNumber };
  const query = useQuery({
    ...pageOf(api, listMessages, { query: asked }),
    ...pagedQuery,
  });
  return (
    <DataTable
      label={tabs.messages}
      query={query}
      onPage={setPage}
      columns={messageColumns({ emails, journeys, sends, isOfOne: true })}
      rowKey={({ messageId }) => messageId}
      href={messageHref}
      empty={<EmptyState icon={<SendIcon size={20} />} title={t.emptyMessages} text={t.emptyMessagesText} />}
    />
  );
}
