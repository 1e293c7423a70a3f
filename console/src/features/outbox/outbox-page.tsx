import { type DataValue, listOutbox } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useApi } from '../../session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { OutboxIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Page } from '../../shared/page.tsx';
import rowStyles from '../../shared/rows.module.css';
import { pagedQuery, Rows } from '../../shared/rows.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';

export default function OutboxPage() {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    queryKey: ['outbox', { pageNumber }],
    queryFn: () => api.page(listOutbox, { query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <Page title="Outbox" lead="Messages that were kept instead of sent, because no mail server is set up.">
      <Rows
        query={query}
        label="Messages"
        columns={[{ title: 'Subject' }, { title: 'To' }, { title: 'From' }, { title: 'When' }]}
        row={(message) => <Row key={message.messageId} message={message} />}
        onPage={setPage}
        empty={
          <EmptyState
            icon={<OutboxIcon size={20} />}
            title="The outbox is empty"
            text="Send a test of an email: while SMTP_URL is not set, it is kept here for you to look at."
          />
        }
      />
    </Page>
  );
}

function Row({ message }: { message: DataValue<typeof listOutbox> }) {
  return (
    <tr>
      <td>
        <Link href={`/outbox/${encodeURIComponent(message.messageId)}`} className={rowStyles.main ?? ''}>
          {message.subject || '(no subject)'}
        </Link>
      </td>
      <td data-label="To" className={rowStyles.quiet}>
        {message.to}
      </td>
      <td data-label="From" className={rowStyles.quiet}>
        {message.from}
      </td>
      <td data-label="When" className={`${rowStyles.quiet} ${rowStyles.nowrap}`}>
        <Moment at={message.createdAt} />
      </td>
    </tr>
  );
}
