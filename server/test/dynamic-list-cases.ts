import type { Things } from './tenant-things.js';

const onDynamicList = [(of: Things) => ({ path: { id: of.dynamicListId } })];

/** As in route-cases.ts. */
export const dynamicListCases = {
  listDynamicLists: [],
  listDynamicListStates: [],
  createDynamicList: [
    (of: Things) => ({ body: { name: 'x', filter: { staticListId: of.listId } } }),
    (of: Things) => ({ body: { name: 'x', filter: { dynamicListId: of.dynamicListId } } }),
    (of: Things) => ({ body: { name: 'x', filter: { all: [] }, folderId: of.folderId } }),
  ],
  getDynamicList: onDynamicList,
  updateDynamicList: [
    (of: Things) => ({ path: { id: of.dynamicListId }, body: { name: 'x' } }),
    (of: Things, own: Things) => ({ path: { id: own.dynamicListId }, body: { folderId: of.folderId } }),
  ],
  deleteDynamicList: onDynamicList,
  listDynamicMembers: onDynamicList,
  getDynamicListGrowth: onDynamicList,
  listDynamicListMovements: [(of: Things) => ({ path: { id: of.dynamicListId }, query: { what: 'joined' } })],
  explainDynamicList: [
    (of: Things) => ({ path: { id: of.dynamicListId }, query: { contactId: of.contactId } }),
    (of: Things, own: Things) => ({ path: { id: own.dynamicListId }, query: { contactId: of.contactId } }),
    (of: Things, own: Things) => ({ path: { id: of.dynamicListId }, query: { contactId: own.contactId } }),
  ],
  previewDynamicList: [(of: Things) => ({ body: { filter: { any: [{ staticListId: of.listId }] } } })],
  previewFilter: [(of: Things) => ({ query: { filter: JSON.stringify({ any: [{ staticListId: of.listId }] }) } })],
  breakDownFilter: [(of: Things) => ({ query: { filter: JSON.stringify({ any: [{ staticListId: of.listId }] }) } })],
  explainFilter: [
    (of: Things) => ({ query: { filter: '{"all":[]}', contactId: of.contactId } }),
    (of: Things, own: Things) => ({
      query: { filter: JSON.stringify({ staticListId: of.listId }), contactId: own.contactId },
    }),
  ],
};
