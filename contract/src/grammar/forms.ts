// What a form is made of, and what becomes of what is sent by it. Data alone: it needs no TypeBox, and the console imports it.

export const formFieldTypes = ['email', 'text', 'textarea', 'select', 'checkbox', 'hidden'] as const;
export type FormFieldType = (typeof formFieldTypes)[number];

export const mostFormFields = 20;

export const formStates = ['open', 'closed'] as const;

/** `pending`: asked by mail, not answered. `confirmed`: answered. */
export const submissionOutcomes = ['accepted', 'pending', 'confirmed', 'refused'] as const;
export type SubmissionOutcome = (typeof submissionOutcomes)[number];

/** Why a submission was refused. The last three are reasons of suppressions. */
export const refusalReasons = ['honeypot', 'proof', 'bounced', 'complained', 'manual'] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Fields of a post that are no properties. People do not see `honeypot`; its name is no property's. */
export const formFieldNames = { honeypot: 'fax-number', proof: 'altcha', byMail: 'by-mail' } as const;
