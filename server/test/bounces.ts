// Bounce mails as real systems write them. `messageId` is that of the message they are about.

export const messageId = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const headerId = `${messageId}@news.acme.test`;

/** The message itself. */
export const original = `Return-Path: <b-7-${messageId}-0123456789ab@bounce.acme.test>
From: Acme <hello@news.acme.test>
To: ada@example.com
Subject: Your order
Message-ID: <${headerId}>
Date: Fri, 13 Nov 2026 09:00:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Thank you for your order.
`;
const headers = original.slice(0, original.indexOf('\n\n') + 1);

interface Parts {
  from?: string;
  subject?: string;
  intro?: string;
  status: string;
  statusType?: string;
  returned?: { type: string; text: string };
  more?: string;
}

/** A delivery report; every field except `status` defaults to what Postfix writes. */
export function deliveryReport(parts: Parts): string {
  const {
    from = 'MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    returned = { type: 'message/rfc822', text: original },
  } = parts;
  return `Return-Path: <>
From: ${from}
To: b-7-${messageId}-0123456789ab@bounce.acme.test
Subject: ${parts.subject ?? 'Undelivered Mail Returned to Sender'}
Auto-Submitted: auto-replied
${parts.more ?? ''}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B1.mx.example.net"

This is a MIME-encapsulated message.

--B1.mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

${parts.intro ?? "I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients."}

--B1.mx.example.net
Content-Description: Delivery report
Content-Type: ${parts.statusType ?? 'message/delivery-status'}

${parts.status}
--B1.mx.example.net
Content-Description: Undelivered Message
Content-Type: ${returned.type}

${returned.text}
--B1.mx.example.net--
`;
}

function plain(header: string, text: string): string {
  return `${header}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${text}`;
}

export const postfix = deliveryReport({
  status: `Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 4F1A2B3C4D
X-Postfix-Sender: rfc822; b-7-${messageId}-0123456789ab@bounce.acme.test
Arrival-Date: Fri, 13 Nov 2026 09:00:02 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;Ada@example.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1 <ada@example.com>: Recipient address rejected:
    User unknown in virtual mailbox table
`,
});

export const gmail = deliveryReport({
  from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
  subject: 'Delivery Status Notification (Failure)',
  more: 'X-Failed-Recipients: ada@example.com\n',
  status: `Reporting-MTA: dns; googlemail.com
Arrival-Date: Fri, 13 Nov 2026 01:00:03 -0800 (PST)
X-Original-Message-ID: <${headerId}>

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces. https://support.example/?p=NoSuchUser - gsmtp
Last-Attempt-Date: Fri, 13 Nov 2026 01:00:04 -0800 (PST)
`,
});

export const exchange = deliveryReport({
  from: 'postmaster@contoso.example',
  subject: 'Undeliverable: Your order',
  intro: 'Delivery has failed to these recipients or groups:\n\nada@example.com',
  status: `Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.example
Received-From-MTA: dns;mx.example.net
Arrival-Date: Fri, 13 Nov 2026 09:00:05 +0000

Final-Recipient: rfc822;ada@example.com
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup
X-Display-Name: Ada
`,
  returned: { type: 'text/rfc822-headers', text: headers },
});

export const overQuota = deliveryReport({
  status: `Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 4.2.2
Diagnostic-Code: smtp; 452 4.2.2 The recipient's inbox is out of storage space.
`,
});

export const delayed = deliveryReport({
  subject: 'Delayed Mail (still being retried)',
  status: `Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ada@example.com
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to mail.example.com[192.0.2.1]:25: Connection timed out
Will-Retry-Until: Wed, 18 Nov 2026 09:00:02 +0000 (UTC)
`,
});

export const severalRecipients = deliveryReport({
  status: `Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; ada@example.com
Action: delivered
Status: 2.1.5

Final-Recipient: rfc822; bob@example.com
Action: relayed
Status: 2.1.9

Final-Recipient: rfc822; list@example.com
Action: expanded (to 12 members)
Status: 2.1.5

Final-Recipient: rfc822; eve@example.com
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 Message blocked: see our policy
`,
});

export const international = deliveryReport({
  statusType: 'message/global-delivery-status',
  status: `Reporting-MTA: dns; mx.example.net

Final-Recipient: utf-8; j\\x{F6}rg@b\\x{FC}cher.example
Action: failed
Status: 5.1.2
`,
  returned: { type: 'message/global-headers', text: headers },
});

export const qmail = plain(
  `Return-Path: <>
From: MAILER-DAEMON@mail.example.com
To: b-7-${messageId}-0123456789ab@bounce.acme.test
Subject: failure notice`,
  `Hi. This is the qmail-send program at mail.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

<bob@example.com>:
192.0.2.7 failed after I sent the message.
Remote host said: 552 5.2.2 Mailbox full

--- Below this line is a copy of the message.

${original}`,
);

export const exim = plain(
  `Return-Path: <>
X-Failed-Recipients: ada@example.com, bob@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: b-7-${messageId}-0123456789ab@bounce.acme.test
Subject: Mail delivery failed: returning message to sender`,
  `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    host mail.example.com [192.0.2.1]: 550 Unknown user
  bob@example.com
    SMTP error from remote mail server after end of data:
    host mail.example.com [192.0.2.1]: 554 5.7.1 Rejected as spam

------ This is a copy of the message, including all the headers. ------

${original}`,
);

export const lotus = plain(
  `From: postmaster@notes.example.com
To: b-7-${messageId}-0123456789ab@bounce.acme.test
Subject: DELIVERY FAILURE: User ada (ada@example.com) not listed in Domino Directory`,
  `Your message

  Subject: Your order

was not delivered to:

  ada@example.com

because:

  User ada (ada@example.com) not listed in Domino Directory
`,
);

export const yahoo = plain(
  `Return-Path: <>
From: MAILER-DAEMON@yahoo.example
Subject: Failure Notice`,
  `Sorry, we were unable to deliver your message to the following address.

<ada@example.com>:
Remote host said: 554 delivery error: dd This user doesn't have a yahoo.example account (ada@example.com) [0] - mta1.example [RCPT_TO]

--- Below this line is a copy of the message.

${original}`,
);

export const outOfOffice = plain(
  `Return-Path: <>
From: Ada <ada@example.com>
To: b-7-${messageId}-0123456789ab@bounce.acme.test
Subject: Automatic reply: Your order
Auto-Submitted: auto-replied
In-Reply-To: <${headerId}>`,
  'I am out of the office until Monday and cannot be reached. 550 things wait for me; mail to bob@example.com is not delivered to me.\n',
);

export const humanReply = plain(
  `From: Ada <ada@example.com>
To: hello@news.acme.test
Subject: Re: Undelivered Mail Returned to Sender
In-Reply-To: <${headerId}>`,
  'My postmaster said: 550 5.1.1 User unknown. What is that?\n',
);

export const readReceipt = `Return-Path: <>
From: ada@example.com
Subject: Read: Your order
MIME-Version: 1.0
Content-Type: multipart/report; report-type=disposition-notification; boundary=mdn

--mdn
Content-Type: text/plain

Your message was read.
--mdn
Content-Type: message/disposition-notification

Final-Recipient: rfc822; ada@example.com
Original-Message-ID: <${headerId}>
Disposition: manual-action/MDN-sent-manually; displayed

--mdn--
`;

export const everyBounce: readonly string[] = [
  ...[postfix, gmail, exchange, overQuota, delayed, severalRecipients, international],
  ...[qmail, exim, lotus, yahoo, outOfOffice, humanReply, readReceipt],
];
