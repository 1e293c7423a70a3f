// The statement of a first page, for the bare route and for the plan: with the service's own columns and order.
const columns = `user_id as "userId", org_id as "orgId", event_name as "eventName", event_date as "eventDate",
  coalesce(properties, '{}') as "eventProperties"`;

/**
 * @param {number} tenantId
 * @param {string} contactId
 */
export function firstPage(tenantId, contactId) {
  return pageOf(`tenant_id = ${tenantId} and contact_id = '${contactId}'
    and event_date >= date_trunc('month', now()) and event_date < date_trunc('month', now()) + interval '1 month'`);
}

/**
 * @param {string} where
 * @param {number} [offset]
 */
export function pageOf(where, offset = 0) {
  return `select ${columns} from event where ${where} order by event_date desc, event_no desc limit 20 offset ${offset}`;
}
