import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as mails from '../../../../test/bounces.js';
import { feedback } from '../../../../test/complaints.js';
import { readReports } from '../../../mail/bounces/report.js';
import { returnPathOf } from '../../../mail/return-path.js';
import type { Notice } from '../notices.js';
import { type Inbound, type InboundLimits, startInbound } from './listener.js';

const key = Buffer.alloc(32, 7);
const own = returnPathOf(key, 7, mails.messageId, 'bounce.acme.test');
const otherId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5c';

let taken: [number, readonly Notice[]][] = [];
let store: () => Promise<void> = async () => undefined;
let warnings: string[] = [];
let inbound: Inbound | undefined;
const sockets: Socket[] = [];

async function start(limits: Partial<InboundLimits> = {}): Promise<void> {
  inbound = await startInbound(
    {
      keyOf: async (tenantId) => {
        if (tenantId === 9) throw new Error('the database is away');
        return tenantId === 7 || tenantId === 8 ? key : undefined;
      },
      readReports,
      takeNotices: async (tenantId, notices) => {
        await store();
        taken.push([tenantId, notices]);
      },
    },
    { port: 0, host: '127.0.0.1', limits, log: { warn: (_facts, message) => warnings.push(message) } },
  );
}
beforeEach(() => {
  taken = [];
  warnings = [];
  store = async () => undefined;
});
afterEach(stop);

async function stop(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await inbound?.close();
  inbound = undefined;
}

/** Sends line after line, each after the reply to the one before. Returns what the server said; '' once it hung up. */
async function dialogue() {
  const socket = connect((inbound as Inbound).port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  let isOver = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    heard += chunk;
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isOver = true;
    wake();
  });
  const answer = async (): Promise<string> => {
    for (;;) {
      const end = /^\d{3}(?: .*)?\r\n/m.exec(heard);
      if (end) {
        const said = heard.slice(0, end.index + end[0].length);
        heard = heard.slice(said.length);
        return said.trim();
      }
      if (isOver) return '';
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const say = (line: string) => {
    socket.write(`${line}\r\n`);
    return answer();
  };
  return { greeting: await answer(), say, answer, socket };
}

async function deliver(mail: string, recipients: string[], from = ''): Promise<string[]> {
  const { say } = await dialogue();
  const said = [await say('EHLO mx.example.net'), await say(`MAIL FROM:<${from}>`)];
  for (const to of recipients) said.push(await say(`RCPT TO:<${to}>`));
  said.push(await say('DATA'));
  said.push(await say(`${mail.replaceAll('\n', '\r\n').replaceAll('\r\n.', '\r\n..')}\r\n.`));
  await say('QUIT');
  return said.slice(2).map((reply) => reply.slice(0, 3));
}

describe('the listener', () => {
  it('accepts a bounce at the return path of its message', async () => {
    await start();
    expect(await deliver(mails.postfix, [own])).toEqual(['250', '354', '250']);
    expect(taken).toEqual([
      [7, [expect.objectContaining({ what: 'bounced', messageId: mails.messageId, isHard: true, suppresses: true })]],
    ]);
  });

  it('accepts complaints, from any sender and in any letter case', async () => {
    await start();
    expect(await deliver(feedback('abuse'), [own.toUpperCase()], 'feedback@receiver.example')).toEqual([
      '250',
      '354',
      '250',
    ]);
    expect(taken).toMatchObject([[7, [{ what: 'complained', messageId: mails.messageId }]]]);
  });

  it('trusts the return path rather than what the mail says', async () => {
    await start();
    const stranger = mails.postfix.replaceAll(mails.messageId, otherId).replaceAll('ada@', 'eve@');
    await deliver(stranger, [own]);
    expect(taken).toMatchObject([[7, [{ what: 'bounced', messageId: mails.messageId }]]]);
  });

  it('accepts a mail for several messages, of several tenants', async () => {
    await start();
    const other = returnPathOf(key, 8, otherId, 'x.test');
    expect(await deliver(mails.postfix, [own, other])).toEqual(['250', '250', '354', '250']);
    expect(taken).toMatchObject([
      [7, [{ messageId: mails.messageId }]],
      [8, [{ messageId: otherId }]],
    ]);
  });

  it('accepts mail from nodemailer', async () => {
    await start();
    const transport = createTransport({ host: '127.0.0.1', port: inbound?.port, ignoreTLS: true });
    await transport.sendMail({ envelope: { from: '', to: [own] }, raw: mails.exim });
    transport.close();
    expect(taken).toMatchObject([[7, [{ what: 'bounced', messageId: mails.messageId }]]]);
  });

  it.each([
    ['an absence', mails.outOfOffice],
    ['a delay', mails.delayed],
    ['junk', 'x'],
  ])('is polite about %s, and forgets it', async (_, mail) => {
    await start();
    expect(await deliver(mail, [own])).toEqual(['250', '354', '250']);
    expect(taken).toEqual([]);
  });

  it.each([
    ['hello@news.acme.test'],
    ['postmaster@bounce.acme.test'],
    [own.replace('b-7-', 'b-8-')],
    [own.replace('b-7-', 'b-6-')],
    [own.replace(/-[0-9a-f]{12}@/, '-000000000000@')],
  ])('refuses mail for %s', async (address) => {
    await start();
    const { say } = await dialogue();
    await say('EHLO x');
    await say('MAIL FROM:<>');
    expect(await say(`RCPT TO:<${address}>`)).toMatch(/^550 /);
    expect(await say('DATA')).toMatch(/^5/);
  });

  it('asks to try again while nothing can be stored or looked up', async () => {
    await start();
    store = () => Promise.reject(new Error('away'));
    expect(await deliver(mails.postfix, [own])).toEqual(['250', '354', '451']);
    const { say } = await dialogue();
    await say('EHLO x');
    await say('MAIL FROM:<>');
    expect(await say(`RCPT TO:<${returnPathOf(key, 9, otherId, 'x.test')}>`)).toMatch(/^451 /);
    expect(taken).toEqual([]);
    expect(warnings).toHaveLength(2);
  });

  it('accepts a mail only after everything is stored', async () => {
    await start();
    let release = () => {};
    let isStored = false;
    store = () =>
      new Promise((resolve) => {
        release = () => {
          isStored = true;
          resolve();
        };
      });
    const answered = deliver(mails.postfix, [own]).then((said) => ({ said, isStored }));
    const timer = setInterval(() => release(), 5);
    expect(await answered).toEqual({ said: ['250', '354', '250'], isStored: true });
    clearInterval(timer);
  });

  it('refuses a mail that is too large, announced or not', async () => {
    await start({ bytes: 20_000 });
    expect(await deliver(`${mails.postfix}${'x'.repeat(70)}\n`.repeat(30), [own])).toEqual(['250', '354', '552']);
    const { say } = await dialogue();
    await say('EHLO x');
    expect(await say('MAIL FROM:<> SIZE=200000')).toMatch(/^552 /);
    expect(taken).toEqual([]);
  });

  it('reads a large mail by its beginning', async () => {
    await start();
    const [head = '', tail = ''] = mails.postfix.split('Thank you for your order.');
    expect(await deliver(`${head}${`${'x'.repeat(75)}\n`.repeat(60_000)}${tail}`, [own])).toEqual([
      '250',
      '354',
      '250',
    ]);
    expect(taken).toMatchObject([[7, [{ what: 'bounced' }]]]);
  });

  it('offers no sign-in and no TLS', async () => {
    await start();
    const { say } = await dialogue();
    expect(await say('EHLO x')).not.toMatch(/AUTH|STARTTLS/);
    expect(await say('AUTH PLAIN AAAA')).toMatch(/^5/);
  });

  it('hangs up on a client that guesses, and accepts a limited number of recipients', async () => {
    await start({ guesses: 3, recipients: 2 });
    const guesser = await dialogue();
    await guesser.say('EHLO x');
    await guesser.say('MAIL FROM:<>');
    for (let i = 0; i < 3; i++) expect(await guesser.say(`RCPT TO:<guess${i}@x.test>`)).toMatch(/^550 /);
    expect(await guesser.say('RCPT TO:<guess@x.test>')).toMatch(/^421 /);
    expect(await guesser.answer()).toBe('');
    const crowd = [mails.messageId, otherId, '0199a1b2c3d47e5f8a9b0c1d2e3f4a5d'];
    const paths = crowd.map((id) => returnPathOf(key, 7, id, 'x.test'));
    expect(await deliver(mails.postfix, paths)).toEqual(['250', '250', '452', '354', '250']);
  });

  it('accepts a limited number of mails per connection, and the rest on another', async () => {
    await start({ mails: 2 });
    const { say, answer } = await dialogue();
    await say('EHLO x');
    for (let i = 0; i < 2; i++) {
      for (const line of ['MAIL FROM:<>', `RCPT TO:<${own}>`, 'DATA']) await say(line);
      expect(await say(`${mails.postfix.replaceAll('\n', '\r\n')}\r\n.`)).toMatch(/^250 /);
    }
    expect(await say('MAIL FROM:<>')).toMatch(/^421 /);
    expect(await answer()).toBe('');
    expect(await deliver(mails.postfix, [own])).toEqual(['250', '354', '250']);
    expect(taken).toHaveLength(3);
  });

  it('accepts a limited number of connections, in total and per address, and more once they are gone', async () => {
    await start({ perAddress: 2 });
    const first = await dialogue();
    expect((await dialogue()).greeting).toMatch(/^220 /);
    expect((await dialogue()).greeting).toMatch(/^421 /);
    await first.say('QUIT');
    // It disconnects a moment after its last reply.
    while (!(await dialogue()).greeting.startsWith('220 '));
    await stop();
    await start({ connections: 1 });
    expect((await dialogue()).greeting).toMatch(/^220 /);
    expect((await dialogue()).greeting).toMatch(/^421 /);
  });

  it('hangs up on a client that says nothing, and on one that never ends', async () => {
    await start({ idleMs: 400 });
    const silent = await dialogue();
    expect(silent.greeting).toMatch(/^220 /);
    expect(await silent.answer()).toMatch(/^421 /);
    await stop();
    await start({ lifeMs: 400 });
    const slow = await dialogue();
    const drip = setInterval(() => slow.socket.write('N'), 10);
    expect(await slow.answer()).toBe('');
    clearInterval(drip);
  });

  it('disconnects idle clients when it closes, and lets a mail in progress finish', async () => {
    await start();
    const idle = await dialogue();
    await idle.say('EHLO mx.example.net');
    const busy = await dialogue();
    for (const line of ['EHLO mx.example.net', 'MAIL FROM:<>', `RCPT TO:<${own}>`, 'DATA']) await busy.say(line);
    const closing = (inbound as Inbound).close();
    inbound = undefined;
    expect(await idle.answer()).toMatch(/^421 /);
    expect(await idle.answer()).toBe('');
    expect(await busy.say(`${mails.postfix.replaceAll('\n', '\r\n')}\r\n.`)).toMatch(/^250 /);
    expect(await busy.answer()).toMatch(/^421 /);
    await closing;
    expect(taken).toHaveLength(1);
  });

  it('says so when its port is taken', async () => {
    await start();
    const again = startInbound(
      { keyOf: async () => undefined, readReports, takeNotices: async () => undefined },
      { port: (inbound as Inbound).port, host: '127.0.0.1', log: { warn: () => undefined } },
    );
    await expect(again).rejects.toThrow('EADDRINUSE');
  });
});
