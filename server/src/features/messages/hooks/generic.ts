// The format for all other providers: `{events: [{type, messageId or email, bounce?, reason?, at?}]}`.
import { noticeTypes } from '@rapport/contract';
import { reasonOf } from '../../../mail/bounces/fields.js';
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  hardBounce,
  instantIn,
  type Reader,
  readEvents,
  readObject,
  softBounce,
} from './reading.js';

/** A bounce reported as hard means that the address takes no mail, unless an SMTP reply in `reason` says otherwise. */
export const readGeneric: Reader = async ({ body }) => {
  const { events } = await readObject(body);
  return readEvents(events, 'events', readEvent);
};

function readEvent({ type, messageId, email, bounce, reason, at }: Fields): Notice | 'ignored' | undefined {
  if (typeof type !== 'string') return undefined;
  const what = noticeTypes.find((each) => each === type);
  if (what === undefined) return 'ignored';
  const whose = { messageId: messageIdIn(withoutDashes(messageId)), email: emailIn(email), at: instantIn(at) };
  if (whose.messageId === null && whose.email === null) return undefined;
  if (isGiven(messageId) && whose.messageId === null) return undefined;
  if (isGiven(at) && whose.at === null) return undefined;
  if (isGiven(reason) && typeof reason !== 'string') return undefined;
  if (isGiven(bounce) && bounce !== 'hard' && bounce !== 'soft') return undefined;
  const said = typeof reason === 'string' ? reason : '';
  if (what !== 'bounced') return notice(what, { ...whose, reason: reasonOf('', said) || null });
  return notice('bounced', { ...whose, ...(bounce === 'soft' ? softBounce(said) : hardBounce(said, true)) });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Some providers write the message id with hyphens, like other UUIDs. */
function withoutDashes(id: unknown): unknown {
  return typeof id === 'string' && id.length === 36 ? id.replaceAll('-', '') : id;
}
