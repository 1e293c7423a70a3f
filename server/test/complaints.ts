// Complaints about a message, as providers write them.
import { everyBounce, messageId, original } from './bounces.js';

/** A report in the format of RFC 5965. */
export function feedback(type: string, more = 'Original-Rcpt-To: ada@example.com\n'): string {
  return `From: feedback@receiver.example
To: abuse@acme.test
Subject: FW: Your order
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="arf"

--arf
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report for a message received from 192.0.2.5.

--arf
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <b-7-${messageId}-0123456789ab@bounce.acme.test>
${more}Source-IP: 192.0.2.5

--arf
Content-Type: message/rfc822
Content-Disposition: inline

${original}
--arf--
`;
}

export const jmrp = `From: <staff@hotmail.com>
To: abuse@acme.test
Subject: complaint about message from 192.0.2.5
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="jm"

--jm
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: ada@example.com
${original}
--jm--
`;

export const everyMail: readonly string[] = [...everyBounce, feedback('abuse'), jmrp];
