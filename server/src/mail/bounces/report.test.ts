import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mails from '../../../test/bounces.js';
import { everyMail, feedback, jmrp } from '../../../test/complaints.js';
import { readReports } from './report.js';

const read = (mail: string) => readReports(Buffer.from(mail));
const crlf = (mail: string) => mail.replaceAll('\n', '\r\n');
const headerId = `${mails.messageId}@news.acme.test`;

function bounced(status: string, more: object = {}) {
  return { what: 'bounced', isHard: true, suppresses: false, status, recipient: 'ada@example.com', headerId, ...more };
}
const unknown = { suppresses: true };

describe('a delivery report', () => {
  it.each([
    ['Postfix', mails.postfix, [bounced('5.1.1', { ...unknown, recipient: 'Ada@example.com' })]],
    ['Gmail', mails.gmail, [bounced('5.1.1', unknown)]],
    ['Exchange', mails.exchange, [bounced('5.1.10', unknown)]],
    ['a server that gave up', mails.overQuota, [bounced('4.2.2', { isHard: false })]],
    ['RFC 6533', mails.international, [bounced('5.1.2', { ...unknown, recipient: 'jörg@bücher.example' })]],
    [
      'several recipients',
      mails.severalRecipients,
      [
        { what: 'delivered', recipient: 'ada@example.com', headerId },
        { what: 'delivered', recipient: 'list@example.com', headerId },
        bounced('5.7.1', { recipient: 'eve@example.com' }),
      ],
    ],
  ])('of %s is read, whatever ends its lines', async (_, mail, expected) => {
    const matching = expected.map((each) => expect.objectContaining(each));
    expect(await read(mail)).toEqual(matching);
    expect(await read(crlf(mail))).toEqual(matching);
  });

  it('says why in words that begin with the status and contain no address', async () => {
    const [report] = await read(mails.postfix);
    expect(report).toMatchObject({
      reason: '550 5.1.1 <…>: Recipient address rejected: User unknown in virtual mailbox table',
    });
  });

  it('of a delay says nothing: the message may still arrive', async () => {
    expect(await read(mails.delayed)).toEqual([]);
  });

  it.each([
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.1 User unknown', '5.1.1', true, true],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 550 No such user here', '550', true, true],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 554 Transaction failed', '554', true, false],
    ['Status: 5.4.4\nDiagnostic-Code: X-Postfix; Host not found', '5.4.4', true, false],
    ['Status: 4.4.7\nDiagnostic-Code: smtp; 550 5.1.1 User unknown', '4.4.7', false, false],
    ['Diagnostic-Code: smtp; 450 4.2.0 Greylisted', '4.2.0', false, false],
    ['Status: nonsense', '5.0.0', true, false],
  ])('with %j is judged by what says most', async (fields, status, isHard, suppresses) => {
    const mail = mails.deliveryReport({
      status: `Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; ada@example.com\nAction: failed\n${fields}\n`,
    });
    expect(await read(mail)).toEqual([expect.objectContaining({ status, isHard, suppresses })]);
  });

  it('without an action is judged by its status', async () => {
    const withStatus = (status: string) =>
      read(mails.deliveryReport({ status: `Final-Recipient: rfc822; a@b.c\nStatus: ${status}\n` }));
    expect(await withStatus('5.1.1')).toMatchObject([{ what: 'bounced' }]);
    expect(await withStatus('2.0.0')).toMatchObject([{ what: 'delivered' }]);
    expect(await withStatus('4.4.1')).toEqual([]);
  });

  it('without the message that it is about has no Message-ID', async () => {
    const mail = mails.postfix.replace(/Message-ID: .*\n/, '');
    expect(await read(mail)).toMatchObject([{ headerId: null }]);
  });
});

describe('a mail of many parts', () => {
  const behind = (parts: number, boundary: string) => {
    const status = 'Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\n';
    const part = (type: string, text: string) => `--${boundary}\nContent-Type: ${type}\n\n${text}\n`;
    const head = `From: mailer-daemon@example.net\nContent-Type: multipart/report; boundary="${boundary}"\n\n`;
    return `${head}${part('text/plain', 'x').repeat(parts)}${part('message/delivery-status', status)}--${boundary}--\n`;
  };

  it.each(['b', '--b', "odd 'one'"])('is read up to the 50th, whatever divides them: %s', async (boundary) => {
    expect(await read(behind(49, boundary))).toMatchObject([{ what: 'bounced', status: '5.1.1' }]);
    expect(await read(crlf(behind(49, boundary)))).toMatchObject([{ what: 'bounced', status: '5.1.1' }]);
    expect(await read(behind(50, boundary))).toEqual([]);
  });
});

describe('a bounce in words', () => {
  it.each([
    ['qmail', mails.qmail, [bounced('5.1.1', unknown), bounced('5.2.2', { recipient: 'bob@example.com' })]],
    ['Exim', mails.exim, [bounced('550', unknown), bounced('5.7.1', { recipient: 'bob@example.com' })]],
    ['Lotus Domino', mails.lotus, [bounced('5.0.0', { ...unknown, headerId: null })]],
    ['Yahoo', mails.yahoo, [bounced('554', unknown)]],
  ])('of %s is read', async (_, mail, expected) => {
    const matching = expected.map((each) => expect.objectContaining(each));
    expect(await read(mail)).toEqual(matching);
    expect(await read(crlf(mail))).toEqual(matching);
  });

  it.each([
    ['an absence', mails.outOfOffice],
    ['an answer of a person', mails.humanReply],
    ['a read receipt', mails.readReceipt],
    ['a newsletter', 'From: a@b.c\nSubject: Hello\n\nUndelivered 550 5.1.1 user unknown'],
    ['nothing at all', ''],
  ])('is not %s', async (_, mail) => {
    expect(await read(mail)).toEqual([]);
  });
});

describe('a complaint', () => {
  it.each(['abuse', 'Fraud', 'other'])('of type %s is one', async (type) => {
    const reason = type.toLowerCase();
    const report = { what: 'complained', reason, recipient: 'ada@example.com', headerId };
    expect(await read(feedback(type))).toEqual([report]);
  });

  it.each(['not-spam', 'auth-failure', 'virus', 'dmarc'])('is nothing of type %s', async (type) => {
    expect(await read(feedback(type))).toEqual([]);
  });

  it('with a redacted recipient is about the recipient of the message', async () => {
    const mail = feedback('abuse', 'Original-Rcpt-To: redacted\n');
    expect(await read(mail)).toMatchObject([{ recipient: 'ada@example.com', headerId }]);
  });

  it('of Microsoft may have nothing but the message', async () => {
    expect(await read(jmrp)).toEqual([{ what: 'complained', reason: 'abuse', recipient: 'ada@example.com', headerId }]);
  });
});

describe('junk', () => {
  const anyMail = fc.constantFrom(...everyMail);

  it('that was cut off anywhere is read as far as it goes', async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, fc.double({ min: 0, max: 1, noNaN: true }), async (mail, part) => {
        expect(Array.isArray(await read(mail.slice(0, Math.floor(mail.length * part))))).toBe(true);
      }),
    );
  });

  it('that was mangled gives reports that can be stored, or none', async () => {
    const change = fc.record({
      at: fc.nat(5000),
      cut: fc.nat(60),
      put: fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
    });
    await fc.assert(
      fc.asyncProperty(anyMail, fc.array(change, { minLength: 1, maxLength: 8 }), async (mail, changes) => {
        let mangled = mail;
        for (const { at, cut, put } of changes) {
          const from = at % (mangled.length + 1);
          mangled = mangled.slice(0, from) + put + mangled.slice(from + cut);
        }
        for (const report of await read(mangled)) {
          for (const text of Object.values(report).filter((value) => typeof value === 'string')) {
            expect(text.length).toBeLessThanOrEqual(600);
            expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of any bytes is no report', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4000 }), async (bytes) => {
        expect(await readReports(bytes)).toEqual([]);
      }),
    );
  });

  it.each([
    ['lines', '\n'],
    ['boundaries', '\n--b'],
    ['parts', '\n--b\nContent-Type: text/html\n\n<p>x</p>'],
    ['nested parts', '\n--b\nContent-Type: multipart/mixed; boundary=b\n\n'],
    ['dashes', '-'],
    ['addresses', '@'],
    ['brackets', '<'],
    ['fields', '\nFinal-Recipient: rfc822; a@b.c\nAction: failed\n'],
    ['folded lines', '\n x'],
    ['HTML', '\n--b\nContent-Type: text/html\n\n<a href="<!--'],
  ])('of 10 MB of %s is read no further than its beginning', async (_, unit) => {
    const head = 'From: mailer-daemon@x\nSubject: failure notice\nContent-Type: multipart/report; boundary=b\n\n';
    const start = '--b\nContent-Type: message/delivery-status\n\n';
    for (const begin of [head, head + start, head.replace('Content-Type', 'X')]) {
      const whole = Buffer.concat([Buffer.from(begin), Buffer.alloc(10 * 1024 * 1024, unit)]);
      // What is not looked at cannot take time.
      expect(await readReports(whole)).toEqual(await readReports(whole.subarray(0, 256 * 1024)));
    }
  });
});
