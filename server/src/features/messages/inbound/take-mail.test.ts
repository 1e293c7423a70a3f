import { describe, expect, it } from 'vitest';
import * as mails from '../../../../test/bounces.js';
import { feedback } from '../../../../test/complaints.js';
import { useDatabase } from '../../../../test/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { readReports } from '../../../mail/bounces/report.js';
import { returnPathOf } from '../../../mail/return-path.js';
import type { Notice } from '../notices.js';
import { findTenantOf } from './queries.js';
import { noticesFrom, sayTaken, takeOneMail } from './take-mail.js';

const key = Buffer.alloc(32, 7);
const own = returnPathOf(key, 7, mails.messageId, 'bounce.acme.test');
const t = useDatabase();

async function handIn(mail: string, owner?: number) {
  const stored: [number, readonly Notice[]][] = [];
  const taken = await takeOneMail(Buffer.from(mail), {
    keyOf: async (tenantId) => (tenantId === 7 ? key : undefined),
    readReports,
    takeNotices: async (tenantId, notices) => void stored.push([tenantId, notices]),
    findTenantOf: async (messageId) => (messageId === mails.messageId ? owner : undefined),
  });
  return { said: sayTaken(taken), isTaken: taken.isTaken, stored };
}

describe('a mail that was handed in', () => {
  it('is matched by the return path it was delivered to, wherever a server noted that', async () => {
    for (const field of ['Delivered-To', 'X-Original-To', 'To', 'Envelope-To']) {
      const { said, stored } = await handIn(`${field}: <${own}>\n${mails.lotus}`);
      expect(stored).toMatchObject([[7, [{ what: 'bounced', messageId: mails.messageId, suppresses: true }]]]);
      expect(said).toBe(
        `Taken: message ${mails.messageId} of tenant 7 bounced for good (${stored[0]?.[1][0]?.reason}).`,
      );
    }
  });

  it('is matched by the return path in the returned message', async () => {
    const mail = mails.exim.replace(/Return-Path: <b-.*>/, `Return-Path: <${own}>`);
    expect((await handIn(mail)).stored).toMatchObject([[7, [{ messageId: mails.messageId }]]]);
  });

  it('is matched by the Message-ID of that message, if the return path is lost or forged', async () => {
    const { stored, said } = await handIn(feedback('abuse'), 5);
    expect(stored).toMatchObject([[5, [{ what: 'complained', messageId: mails.messageId }]]]);
    expect(said).toBe(`Taken: message ${mails.messageId} of tenant 5 was complained about (abuse).`);
  });

  it.each([
    ['is no report', mails.outOfOffice, 'This mail is no report'],
    ['is nothing', '', 'This mail is no report'],
    [
      'is about a message that is not here',
      mails.postfix,
      'This mail reports on a message that is not in this database',
    ],
    ['names no message', mails.lotus, 'This mail reports on a message that is not in this database'],
  ])('is left alone when it %s', async (_, mail, words) => {
    const { stored, said, isTaken } = await handIn(mail);
    expect([isTaken, stored]).toEqual([false, []]);
    expect(said).toContain(words);
  });
});

describe('a mail with several recipients', () => {
  it('gives one notice for the message whose return path it was sent to: the worst', async () => {
    const path = { tenantId: 7, messageId: mails.messageId, mac: '' };
    const notices = noticesFrom(await readReports(Buffer.from(mails.severalRecipients)), path);
    expect(notices).toMatchObject([{ what: 'bounced', messageId: mails.messageId, email: 'eve@example.com' }]);
  });
});

describe('the owner of a message', () => {
  it('is found by its id', async () => {
    const id = mails.messageId;
    await t.db.run(sql`insert into tenant (name) values ('a'), ('b')`);
    const [, second] = await t.db.rows(sql<{ id: number }>`select tenant_id as id from tenant order by 1`);
    await t.db.run(sql`
      insert into message (tenant_id, message_id, kind, email_id)
      values (${second?.id}, ${id}, 'direct', ${bytes('0'.repeat(24))})`);
    expect(await findTenantOf(t.db, id)).toBe(Number(second?.id));
    expect(await findTenantOf(t.db, id.replace(/b$/, 'c'))).toBeUndefined();
  });
});
