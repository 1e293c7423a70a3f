import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { dayMs } from '../../db/tallies.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import { isAssetId } from '../../lib/ids.js';
import { actorOf } from '../audit/index.js';
import { answerOnce } from '../idempotency/index.js';
import { createForm, deleteForm, type FormUseCheck, updateForm } from './change-forms.js';
import { embedOf } from './embed.js';
import { formKeyOf } from './form-key.js';
import { scriptPath } from './public/script.js';
import { findForm, isForm, type StoredForm, selectFormDays, selectForms } from './queries.js';
import { selectSubmissions } from './submissions/queries.js';

interface RouteNeeds {
  db: Database;
  clock: Clock;
  baseUrl: () => string;
  uses: readonly FormUseCheck[];
}

export function formEndpoints({ db, clock, baseUrl, uses }: RouteNeeds): Endpoint[] {
  const show = (tenantId: number, form: StoredForm) => {
    const base = baseUrl().replace(/\/+$/, '');
    const url = `${base}/f/${formKeyOf(tenantId, form.formId)}`;
    return { ...form, url, embed: embedOf(form, url, base + scriptPath) };
  };
  return [
    endpoint(contract.listForms, async ({ caller: { tenantId }, query }) => {
      const { rows, total } = await selectForms(db, tenantId, query.search, pageOf(query));
      return { rows: rows.map((form) => show(tenantId, form)), total };
    }),
    endpoint(contract.createForm, (call) =>
      answerOnce(db, call, async (tx) => show(call.caller.tenantId, await createForm(tx, actorOf(call), call.body))),
    ),
    endpoint(contract.getForm, async ({ caller: { tenantId }, params: { formId } }) => {
      const form = isAssetId(formId) ? await findForm(db, tenantId, formId) : undefined;
      if (!form) throw notFound('form');
      return { data: show(tenantId, form) };
    }),
    endpoint(contract.updateForm, async (call) => {
      const form = await db.transaction((tx) => updateForm(tx, actorOf(call), call.params.formId, call.body));
      return { data: show(call.caller.tenantId, form) };
    }),
    endpoint(contract.deleteForm, async (call) => {
      const { formId } = call.params;
      await db.transaction((tx) => deleteForm(tx, actorOf(call), formId, uses, clock.now()));
      return { data: { formId, success: true } };
    }),
    endpoint(contract.listFormSubmissions, async ({ caller: { tenantId }, params: { formId }, query }) => {
      if (!isAssetId(formId) || !(await isForm(db, tenantId, formId))) throw notFound('form');
      return selectSubmissions(db, tenantId, formId, pageOf(query));
    }),
    endpoint(contract.getFormDays, async ({ caller: { tenantId }, params: { formId }, query }) => {
      if (!isAssetId(formId) || !(await isForm(db, tenantId, formId))) throw notFound('form');
      const to = clock.now();
      const from = new Date(to.getTime() - (query.days - 1) * dayMs);
      return { data: { formId, days: await selectFormDays(db, tenantId, formId, from, to) } };
    }),
  ];
}
