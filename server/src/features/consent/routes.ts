import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import { isAssetId, isContactId } from '../../lib/ids.js';
import { actorOf } from '../audit/index.js';
import { getContact, holdContact } from '../contacts/index.js';
import { answerOnce } from '../idempotency/index.js';
import { createTopic, deleteTopic, type EmailCheck, type TopicUseCheck, updateTopic } from './change-topics.js';
import type { SetTopics } from './set-topics.js';
import { type ContactTopicRow, selectContactTopics, selectLog } from './states/queries.js';
import { findTopic, holdTopics, selectTopics } from './topics/queries.js';

interface RouteNeeds {
  db: Database;
  clock: Clock;
  setTopics: SetTopics;
  faultOfEmail: EmailCheck;
  /** What keeps a topic from being deleted; filled by the app. */
  uses: readonly TopicUseCheck[];
  /** What keeps a topic from asking by mail; filled by the app. */
  askings: readonly TopicUseCheck[];
}

export function consentEndpoints({ db, clock, setTopics, faultOfEmail, uses, askings }: RouteNeeds): Endpoint[] {
  return [
    endpoint(contract.listTopics, ({ caller, query }) =>
      selectTopics(db, caller.tenantId, query.search, pageOf(query)),
    ),
    endpoint(contract.createTopic, (call) =>
      answerOnce(db, call, (tx) => createTopic(tx, actorOf(call), call.body, faultOfEmail)),
    ),
    endpoint(contract.getTopic, async ({ caller, params: { topicId } }) => {
      const data = isAssetId(topicId) ? await findTopic(db, caller.tenantId, topicId) : undefined;
      if (!data) throw notFound('topic');
      return { data };
    }),
    endpoint(contract.updateTopic, async (call) => ({
      data: await db.transaction((tx) =>
        updateTopic(tx, actorOf(call), call.params.topicId, call.body, { findFault: faultOfEmail, askings }),
      ),
    })),
    endpoint(contract.deleteTopic, async (call) => {
      const { topicId } = call.params;
      await db.transaction((tx) => deleteTopic(tx, actorOf(call), topicId, uses));
      return { data: { topicId, success: true } };
    }),
    endpoint(contract.listContactTopics, async ({ caller, params }) => {
      const { id } = await getContact(db, caller.tenantId, params.id);
      return { data: await selectContactTopics(db, caller.tenantId, id) };
    }),
    endpoint(contract.setContactTopic, async ({ caller, params: { id: contactId, topicId }, body }) => {
      const { tenantId, accountId, tokenKind } = caller;
      const [row] = await db.transaction(async (tx) => {
        if (!isContactId(contactId) || !(await holdContact(tx, tenantId, contactId))) throw new ApiError('BAS-E-002');
        if (!isAssetId(topicId) || !(await holdTopics(tx, tenantId, [topicId])).has(topicId)) throw notFound('topic');
        const source = tokenKind === 'session' ? ('person' as const) : ('api' as const);
        const change = { contactId, topicId, state: body.state, source, text: body.text ?? null, accountId };
        await setTopics(tx, tenantId, [change], clock.now().toISOString());
        return selectContactTopics(tx, tenantId, contactId, topicId);
      });
      return { data: row as ContactTopicRow };
    }),
    endpoint(contract.listConsentLog, async ({ caller, params, query }) => {
      const { id } = await getContact(db, caller.tenantId, params.id);
      return selectLog(db, caller.tenantId, id, pageOf(query));
    }),
  ];
}
