import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { deleteTopic, listTopics } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { type Topic, TopicDialog } from '../features/topics/topic-dialog.tsx';
import { Breakable } from '../shared/breakable.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { EditIcon, PlusIcon, TopicIcon, TrashIcon } from '../shared/icons.tsx';
import { CopyIdItem, MoreMenu } from '../shared/more-menu.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { whole } from '../texts/numbers.ts';
import { t as words } from '../texts/shared.ts';
import { states, t } from '../texts/topics.ts';

type Asked = { edit: Topic } | { remove: Topic };

export default function TopicsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const [isCreating, creating] = useDisclosure(false);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const search = param('search');
  const query = useQuery({ ...pageOf(api, listTopics, { query: { search, pageNumber } }), ...pagedQuery });
  const create = canWrite && (
    <Button leftSection={<PlusIcon />} data-shortcut="create" onClick={creating.open}>
      {t.newTopic}
    </Button>
  );
  return (
    <Page title={t.topics} lead={t.lead} actions={create}>
      <Toolbar onClear={clearing('search')}>
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={toolbar.grow}
        />
      </Toolbar>
      <DataTable
        label={t.topics}
        query={query}
        onPage={setPage}
        columns={canWrite ? [...columns, actions(setAsked)] : columns}
        rowKey={({ topicId }) => topicId}
        {...(canWrite ? { onOpen: (topic: Topic) => setAsked({ edit: topic }) } : {})}
        empty={
          search ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState
              icon={<TopicIcon size={20} />}
              title={t.emptyTopics}
              text={canWrite ? t.emptyTopicsText : words.addedByOthers}
            />
          )
        }
      />
      {isCreating && <TopicDialog onClose={creating.close} />}
      {asked && 'edit' in asked && <TopicDialog topic={asked.edit} onClose={close} />}
      {asked && 'remove' in asked && (
        <ConfirmDialog
          title={t.deleteTitle(asked.remove.name)}
          text={t.deleteText}
          confirm={t.delete}
          act={() => api.call(deleteTopic, { params: { topicId: asked.remove.topicId } })}
          refresh={['topics', 'contacts']}
          said={t.deleted(asked.remove.name)}
          onClose={close}
        />
      )}
    </Page>
  );
}

const columns: Column<Topic>[] = [
  { id: 'name', title: t.name, cell: ({ name }) => name },
  {
    id: 'key',
    title: t.key,
    cell: ({ key }) => (
      <span>
        <Breakable text={key} after="_" />
      </span>
    ),
  },
  {
    id: 'default',
    title: t.defaultState,
    cell: ({ byDefault }) => <ToneBadge tone={states[byDefault].tone}>{states[byDefault].label}</ToneBadge>,
  },
  { id: 'visibility', title: t.visibility, cell: ({ visibility }) => t.visible[visibility] },
  { id: 'optIn', title: t.doubleOptIn, cell: ({ doubleOptIn }) => (doubleOptIn ? t.yes : t.no) },
  {
    ...{ id: 'subscribed', title: t.subscribed, definition: t.countText, isNumber: true },
    cell: ({ subscribed }) => whole(subscribed),
  },
  {
    ...{ id: 'unsubscribed', title: t.unsubscribed, definition: t.countText, isNumber: true },
    cell: ({ unsubscribed }) => whole(unsubscribed),
  },
  { id: 'pending', title: t.pending, isNumber: true, cell: ({ pending }) => whole(pending) },
];

const actions = (ask: (asked: Asked) => void): Column<Topic> => ({
  id: 'actions',
  title: t.edit,
  isUntitled: true,
  isIcon: true,
  width: '1px',
  cell: (topic) => (
    <MoreMenu label={t.more(topic.name)}>
      <Menu.Item leftSection={<EditIcon />} onClick={() => ask({ edit: topic })}>
        {t.edit}
      </Menu.Item>
      <CopyIdItem id={topic.topicId} />
      <Menu.Item color="red" leftSection={<TrashIcon />} onClick={() => ask({ remove: topic })}>
        {t.delete}
      </Menu.Item>
    </MoreMenu>
  ),
});
