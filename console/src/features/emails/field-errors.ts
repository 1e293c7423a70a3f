// Puts the API's refusals beside the field that they are about.
import type { ApiFailure } from '@rapport/client';
import type { DraftField } from './draft.ts';

export type FieldErrors = Partial<Record<DraftField | 'form', string>>;

const byDetail = new Map<string, DraftField>(
  Object.entries({
    name: 'name',
    subject: 'subject',
    preheader: 'preheader',
    html: 'html',
    fromEmail: 'fromEmail',
    'fromEmail.email': 'fromEmail',
    'fromEmail.name': 'fromName',
    replyTo: 'replyTo',
    folderId: 'folderId',
  } as const),
);

export function fieldErrorsOf(failure: Pick<ApiFailure, 'items'>): FieldErrors {
  const errors: FieldErrors = {};
  for (const { errorCode, message, detail } of failure.items) {
    const field = fieldOf(errorCode, detail);
    errors[field] = errors[field] ? `${errors[field]} ${message}` : message;
  }
  return errors;
}

function fieldOf(errorCode: string, detail = ''): DraftField | 'form' {
  if (errorCode === 'UnapprovedEmailDomainException') return 'fromEmail';
  if (errorCode === 'TEMPLATE_ALREADY_EXISTS') return 'name';
  const named = byDetail.get(detail) ?? byDetail.get(/^\w+/.exec(detail)?.[0] ?? '');
  if (errorCode === 'UnknownVariablesException') return named ?? 'html';
  return named ?? 'form';
}
