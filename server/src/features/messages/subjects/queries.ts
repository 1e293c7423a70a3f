// What filter subjects about mail read: mail activity, and the contact's own row.

import type { MarketingEventName } from '@rapport/contract';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { marketingActivityTable } from '../../events/index.js';
import { type Counted, countIn, type Ground, type Log, type Piece } from '../../filter-language/index.js';

/** A parsed condition. */
export interface Marketing extends Counted {
  readonly what: MarketingEventName;
  readonly emailId?: string | undefined;
  readonly journeyId?: string | undefined;
  readonly linkUrl?: string | undefined;
  /** Also count opens and clicks by machines. */
  readonly machine: boolean;
}

const activity: Log = { table: marketingActivityTable };

export function countActivity(asked: Marketing, on: Ground): Piece {
  const { what, count, window } = asked;
  return countIn(activity, { name: what, only: narrowed(asked), count, window }, on);
}

function narrowed({ what, emailId, journeyId, linkUrl, machine }: Marketing): Sql[] {
  // Only these two can be caused by a machine.
  const isByPeople = (what === 'opened' || what === 'clicked') && !machine;
  return [
    ...(isByPeople ? [sql`not e.is_machine`] : []),
    ...(emailId === undefined ? [] : [sql`e.email_id = ${bytes(emailId)}::bytea`]),
    ...(journeyId === undefined ? [] : [sql`e.journey_id = ${bytes(journeyId)}::bytea`]),
    ...(linkUrl === undefined ? [] : [sql`e.link_url = ${linkUrl}`]),
  ];
}

/** Whether the contact's address is suppressed as unsubscribed: its property says so. */
export function testUnsubscribed(wanted: boolean, { contact }: Ground): Piece {
  const isSo = sql`coalesce(${contact}.properties -> 'unsubscribed' = 'true'::jsonb, false)`;
  return { holds: wanted ? isSo : sql`not ${isSo}`, value: sql`to_jsonb(${isSo})` };
}
