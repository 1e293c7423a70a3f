import * as contract from '@rapport/contract';
import { type Call, type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { answerOnce } from '../../idempotency/index.js';
import { actorOf, type WorkspaceNeeds } from '../needs.js';
import { type Admin, changePerson, deactivate, reactivate } from './change-person.js';
import { selectPeople, type Viewer } from './queries.js';

export function peopleEndpoints({ db, forgetTokens }: Pick<WorkspaceNeeds, 'db' | 'forgetTokens'>): Endpoint[] {
  /** Takes effect on this node before the request is answered. */
  const felt = async <T>(change: Promise<T>): Promise<T> => {
    const answer = await change;
    forgetTokens();
    return answer;
  };
  return [
    endpoint(contract.listPeople, (call) => selectPeople(db, viewerOf(call), pageOf(call.query))),
    endpoint(contract.updatePerson, async (call) => {
      const { params, body } = call;
      return { data: await felt(db.transaction((tx) => changePerson(tx, adminOf(call), params.accountId, body))) };
    }),
    endpoint(contract.deactivatePerson, (call) =>
      felt(answerOnce(db, call, (tx) => deactivate(tx, adminOf(call), call.params.accountId))),
    ),
    endpoint(contract.reactivatePerson, (call) =>
      felt(answerOnce(db, call, (tx) => reactivate(tx, adminOf(call), call.params.accountId))),
    ),
  ];
}

type Who = Pick<Call, 'caller' | 'address'>;

function viewerOf({ caller }: Who): Viewer {
  return { tenantId: caller.tenantId, accountId: caller.accountId, isAdmin: caller.role === 'admin' };
}

function adminOf(call: Who): Admin {
  return { ...actorOf(call), ...viewerOf(call) };
}
