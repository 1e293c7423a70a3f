import { type Sql, sql } from '../../../db/sql.js';

/** A part of a statement that lets enrolments exit: notes that. `ended` has their enrolment_id and step_id. */
export function noteExits(tenantId: number, ended: Sql, reason: string, now: string): Sql {
  return sql`
    insert into enrolment_turn (tenant_id, enrolment_id, at, lines)
    select ${tenantId}, enrolment_id, ${now}::timestamptz,
      json_build_array(json_build_array('exited', step_id, 'ended', json_build_object('reason', ${reason}::text)))
    from ${ended}`;
}
