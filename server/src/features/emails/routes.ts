import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import { effectOnce, runOnce } from '../idempotency/index.js';
import { tryDesign } from './authoring/compile-design.js';
import { prepareEmail } from './authoring/prepare-email.js';
import { createEmail, draftOf } from './create-email.js';
import { deleteEmail, type UseCheck } from './delete-email.js';
import { getRevision, listHistory } from './history/read-history.js';
import { inLanguage, readLanguage } from './languages/translation.js';
import { listVariables } from './list-variables.js';
import { presentEmail, presentRow } from './present-email.js';
import { type AuthoredEmail, findEmail, findEmailName, selectEmails } from './queries.js';
import { exportTexts, importTexts } from './texts/exchange-texts.js';
import { type Authoring, restoreEmail, untilCurrent, updateEmail } from './update-email.js';

/** The live email with this id; any other text is a 404. */
export async function getEmail(db: Database, tenantId: number, id: string): Promise<AuthoredEmail> {
  const email = isAssetId(id) ? await findEmail(db, tenantId, id) : undefined;
  if (!email) throw notFound('email');
  return email;
}

export async function getEmailName(db: Database, tenantId: number, id: string): Promise<string> {
  const name = isAssetId(id) ? await findEmailName(db, tenantId, id) : undefined;
  if (name === undefined) throw notFound('email');
  return name;
}

/** `uses` says what prevents an email from being deleted. */
export function emailEndpoints(authoring: Authoring, uses: readonly UseCheck[]): Endpoint[] {
  const { db, baseUrl, mostSaves } = authoring;
  return [
    endpoint(contract.createEmail, async (call) => {
      const draft = draftOf(call.body);
      return untilCurrent(async () => {
        const prepared = await prepareEmail(authoring, call.caller.tenantId, draft);
        return runOnce(db, call, async (tx) =>
          presentEmail(await createEmail(tx, call.caller, call.body, prepared, mostSaves), baseUrl()),
        );
      });
    }),
    endpoint(contract.compileEmail, async (call) => {
      const given = inLanguage(call.body.design, readLanguage(call.body.language));
      return effectOnce(db, call, async () => {
        const { html, text, size, problems } = await tryDesign(authoring, call.caller.tenantId, given);
        return { html, text, size, problems };
      });
    }),
    endpoint(contract.getEmail, async ({ caller, params }) =>
      presentEmail(await getEmail(db, caller.tenantId, params.id), baseUrl()),
    ),
    endpoint(contract.listEmails, async ({ caller, query }) => {
      const { search, folderId, sort = '-createdAt' } = query;
      if (folderId !== undefined && !isAssetId(folderId)) return { rows: [], total: 0 };
      const { rows, total } = await selectEmails(db, caller.tenantId, { search, folderId, sort }, pageOf(query));
      return { rows: rows.map((row) => presentRow(row, baseUrl())), total };
    }),
    endpoint(contract.updateEmail, async ({ caller, params, body, ifMatch }) => {
      const edit = { id: params.id, change: body, restoredFrom: null, ifMatch };
      return updateEmail(authoring, caller, edit, async (effect) =>
        presentEmail(await db.transaction(effect), baseUrl()),
      );
    }),
    endpoint(contract.restoreEmail, (call) =>
      restoreEmail(authoring, call.caller, { id: call.params.id, ...call.body, ifMatch: call.ifMatch }, (effect) =>
        runOnce(db, call, async (tx) => presentEmail(await effect(tx), baseUrl())),
      ),
    ),
    endpoint(contract.getEmailTexts, async ({ caller, params, query: { language, format = 'json' } }) => {
      const email = await getEmail(db, caller.tenantId, params.id);
      return { data: exportTexts(email, language, format), etag: String(email.revision) };
    }),
    endpoint(contract.putEmailTexts, ({ caller, params, body, ifMatch }) =>
      importTexts(authoring, caller, { id: params.id, body, ifMatch }),
    ),
    endpoint(contract.listEmailHistory, ({ caller, params, query }) =>
      listHistory(db, caller.tenantId, params.id, pageOf(query)),
    ),
    endpoint(contract.getEmailRevision, async ({ caller, params }) => ({
      data: await getRevision(db, caller.tenantId, params.id, params.revision),
    })),
    endpoint(contract.deleteEmail, async ({ caller, params }) => {
      await db.transaction((tx) => deleteEmail(tx, caller, params.id, uses));
      return { data: { emailId: params.id, success: true } };
    }),
    endpoint(contract.listVariables, ({ caller, query }) => listVariables(db, caller.tenantId, pageOf(query))),
  ];
}
