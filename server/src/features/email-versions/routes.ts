import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import type { Transport } from '../../mail/transport.js';
import { getEmail, previewLinks, type Renderer } from '../emails/index.js';
import { effectOnce } from '../idempotency/index.js';
import { selectActivity } from './activity/queries.js';
import { deleteVersion } from './delete-version.js';
import { listVersions } from './list-versions.js';
import { previewEmail } from './preview.js';
import { receiveBatch, receiveVersion } from './receive-versions.js';
import { boundedTransport, type SignerOf, type TestSendNote, testSend } from './test-send.js';

export interface VersionContext {
  db: Database;
  renderer: Renderer;
  clock: Clock;
  transport: Transport;
  signerOf?: SignerOf;
  /** Is told of test sends. */
  testSends?: readonly TestSendNote[];
  baseUrl: () => string;
}

export function emailVersionEndpoints(needs: VersionContext): Endpoint[] {
  const { db, renderer, clock, baseUrl } = needs;
  const bounded = boundedTransport(needs.transport, needs.signerOf);
  return [
    endpoint(contract.storeVersion, (call) => receiveVersion(db, call)),
    endpoint(contract.storeVersions, (call) => receiveBatch(db, call)),
    endpoint(contract.listVersions, ({ caller, query }) =>
      listVersions(db, caller.tenantId, query, clock.now().toISOString(), pageOf(query)),
    ),
    endpoint(contract.deleteVersion, async ({ caller, query }) => ({
      data: await deleteVersion(db, caller.tenantId, query),
    })),
    endpoint(contract.listEmailActivity, async ({ caller, params, query }) => {
      const { id } = await getEmail(db, caller.tenantId, params.id);
      return selectActivity(db, caller.tenantId, id, query.outcome, pageOf(query));
    }),
    endpoint(contract.previewEmail, (call) =>
      effectOnce(db, call, async () => {
        const { tenantId } = call.caller;
        const email = await getEmail(db, tenantId, call.params.id);
        return previewEmail(db, renderer, tenantId, email, call.body, clock.now(), previewLinks(baseUrl()));
      }),
    ),
    endpoint(contract.previewSavedEmail, async ({ caller, params, query: { contactId, at, language } }) => {
      const { tenantId } = caller;
      const email = await getEmail(db, tenantId, params.id);
      const wanted = {
        ...(contactId === undefined ? {} : { contactId }),
        ...(at === undefined ? {} : { at }),
        ...(language === undefined ? {} : { language }),
      };
      return {
        data: await previewEmail(db, renderer, tenantId, email, wanted, clock.now(), previewLinks(baseUrl())),
      };
    }),
    endpoint(contract.testSendEmail, (call) =>
      effectOnce(db, call, async () => {
        const { tenantId } = call.caller;
        const email = await getEmail(db, tenantId, call.params.id);
        return testSend({ ...needs, transport: bounded }, tenantId, email, call.body, previewLinks(baseUrl()));
      }),
    ),
  ];
}
