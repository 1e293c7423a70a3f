// Mail providers that can report to a hook: the only list. The schemas, the server's table of readers, the console's dialog and
// the table in docs/sending.md are made from it. It needs no TypeBox.

/** The key that a provider's signature is checked with. */
export interface HookKey {
  isRequired: boolean;
  /** Completes the error "key is required: …". */
  what: string;
  /** What a key looks like, and the end of the error "key must be …". */
  form: RegExp | 'ECDSA public key';
  mustBe: string;
  /** In the console: the field's label, and where to find the key. */
  label: string;
  hint: string;
}

export interface MailProvider {
  label: string;
  /** What to switch on at the provider. */
  switchOn: string;
  /** How its posts are known to be genuine, as docs/sending.md says it. */
  signature: string;
  /** Left out where the provider signs nothing: then the address of the hook is the only secret. */
  key?: HookKey;
}

const table = {
  postmark: {
    label: 'Postmark',
    switchOn: 'Delivery, Bounce, Spam complaint, Subscription change',
    signature: 'none: Postmark does not sign, so keep the address secret',
  },
  ses: {
    label: 'Amazon SES',
    switchOn: 'an SNS topic with Bounce, Complaint and Delivery, "include original headers", an HTTPS subscription',
    signature:
      "optional: AWS's signature is always checked, with a certificate from AWS only. The topic's ARN: only that topic may report. `raw`: for a subscription with raw delivery, which is not signed",
    key: {
      isRequired: false,
      what: 'the ARN of the SNS topic, if only that one may report',
      form: /^(raw|arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(\.fifo)?)$/,
      mustBe: 'the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:bounces, or raw for raw delivery',
      label: 'SNS topic ARN',
      hint: 'Accepts reports from this topic only. Leave empty for any.',
    },
  },
  sendgrid: {
    label: 'SendGrid',
    switchOn: 'Delivered, Bounced, Dropped, Spam Reports, Unsubscribes; "Signed Event Webhook"',
    signature: 'required: the verification key',
    key: {
      isRequired: true,
      what: 'the verification key of SendGrid’s signed event webhook',
      form: 'ECDSA public key',
      mustBe: 'the verification key that SendGrid shows: a public key of ECDSA in base64',
      label: 'Event webhook verification key',
      hint: 'Find it in SendGrid’s event webhook settings.',
    },
  },
  mailgun: {
    label: 'Mailgun',
    switchOn: 'delivered, permanent and temporary failure, spam complaints, unsubscribes',
    signature: 'required: the HTTP webhook signing key',
    key: {
      isRequired: true,
      what: 'the HTTP webhook signing key of Mailgun',
      form: /^[\x21-\x7e]+$/,
      mustBe: 'visible characters without spaces',
      label: 'HTTP webhook signing key',
      hint: 'Find it in Mailgun’s webhook settings.',
    },
  },
  resend: {
    label: 'Resend',
    switchOn: 'email.delivered, email.bounced, email.complained, email.suppressed, email.failed',
    signature: 'required: the signing secret of the webhook',
    key: {
      isRequired: true,
      what: 'the signing secret of Resend’s webhook',
      form: /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/,
      mustBe: 'the signing secret that Resend shows: whsec_ and base64',
      label: 'Signing secret',
      hint: 'Find it in the webhook’s details at Resend. It starts with whsec_.',
    },
  },
  generic: {
    label: 'Other',
    switchOn: 'anything that can post JSON',
    signature: 'none: keep the address secret',
  },
} satisfies Record<string, MailProvider>;

export type Provider = keyof typeof table;
export const mailProviders: Readonly<Record<Provider, MailProvider>> = table;
export const providerNames = Object.keys(table) as readonly Provider[];
