import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { isAssetId, isContactId, isMessageUuid } from '../../../lib/ids.js';
import { contactExists, selectEmails } from '../../contacts/index.js';
import { sayLine } from '../timeline/say-fact.js';
import {
  type EnrolmentRow,
  findEnrolment,
  findJourneyNo,
  selectEnrolments,
  selectOfContact,
  selectTimeline,
} from './queries.js';
import { stepNamesOf, withStepNames } from './step-names.js';

/** Of a timeline the newest: a circle may have gone round for years. */
const mostEntries = 1000;

export function enrolmentEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listEnrolments, async ({ caller, params, query }) => {
      const journeyNo = await journeyNoOf(db, caller.tenantId, params.id);
      const { contactId } = query;
      if (contactId !== undefined && !isContactId(contactId)) return { rows: [], total: 0 };
      const filter = { states: query.state, stepIds: query.stepId, contactId };
      const page = await selectEnrolments(db, caller.tenantId, journeyNo, filter, pageOf(query));
      const named = await withStepNames(db, caller.tenantId, page.rows, () => params.id);
      return { ...page, rows: query.include ? await withEmails(db, caller.tenantId, named) : named };
    }),
    endpoint(contract.getEnrolment, async ({ caller, params: { id, enrolmentId }, query }) => {
      const journeyNo = await journeyNoOf(db, caller.tenantId, id);
      const found = isMessageUuid(enrolmentId)
        ? await findEnrolment(db, caller.tenantId, journeyNo, enrolmentId)
        : undefined;
      if (!found) throw notFound('enrolment');
      const { version, stepId } = found;
      const [timeline, nameOf, [told = found]] = await Promise.all([
        selectTimeline(db, caller.tenantId, enrolmentId, mostEntries),
        stepNamesOf(db, caller.tenantId, [{ journeyId: id, version }]),
        query.include ? withEmails(db, caller.tenantId, [found]) : [found],
      ]);
      const lines = timeline.map((line) => ({ ...sayLine(line), ...nameOf(id, version, line.stepId) }));
      return { data: { ...told, ...nameOf(id, version, stepId), timeline: lines } };
    }),
    endpoint(contract.listContactJourneys, async ({ caller, params, query }) => {
      if (!(await contactExists(db, caller.tenantId, params.id))) throw new ApiError('BAS-E-002');
      const page = await selectOfContact(db, caller.tenantId, params.id, pageOf(query));
      return { ...page, rows: await withStepNames(db, caller.tenantId, page.rows, ({ journeyId }) => journeyId) };
    }),
  ];
}

async function journeyNoOf(db: Database, tenantId: number, id: string): Promise<number> {
  const journeyNo = isAssetId(id) ? await findJourneyNo(db, tenantId, id) : undefined;
  if (journeyNo === undefined) throw notFound('journey');
  return journeyNo;
}

/** A list of people is of use to people: one more read, and only where it is asked for. */
async function withEmails(db: Database, tenantId: number, rows: readonly EnrolmentRow[]): Promise<EnrolmentRow[]> {
  const ids = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))];
  const emails = await selectEmails(db, tenantId, ids);
  return rows.map((row) => ({ ...row, email: row.contactId === null ? null : (emails.get(row.contactId) ?? null) }));
}
