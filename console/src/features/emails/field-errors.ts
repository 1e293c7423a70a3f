// What is wrong with an email, at the field concerned and in words for the person who fills it in.
import { ApiFailure } from '@rapport/client';
import { reasonIn, saysRequired, saysTooLong, variablesIn, wordsIn } from '@rapport/contract';
import { faults, t } from '../../texts/emails.ts';
import { languageName } from '../../texts/languages.ts';
import type { Draft, DraftField } from './draft.ts';

export type FieldErrors = Partial<Record<DraftField | 'form', string>>;

const byDetail = new Map<string, DraftField>(
  Object.entries({
    name: 'name',
    subject: 'subject',
    preheader: 'preheader',
    html: 'html',
    design: 'design',
    fromEmail: 'fromEmail',
    'fromEmail.email': 'fromEmail',
    'fromEmail.name': 'fromName',
    replyTo: 'replyTo',
    folderId: 'folderId',
    topicId: 'topicId',
    languages: 'languages',
  } as const),
);

const address = /^[^\s@]+@[^\s@]+$/;

/** Errors that can be found without the service, such as an empty field. */
export function faultsOf(draft: Partial<Draft>): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of ['name', 'subject', 'html'] as const)
    if (draft[field]?.trim() === '' && !(field === 'html' && draft.design)) errors[field] = faults.required[field];
  if (draft.design?.blocks.length === 0) errors.design = faults.required.design;
  const { fromEmail, replyTo } = draft;
  if (fromEmail !== undefined && /^@|^$/.test(fromEmail.trim())) errors.fromEmail = faults.required.fromEmail;
  else if (fromEmail !== undefined && !address.test(fromEmail.trim())) errors.fromEmail = faults.notAnAddress;
  if (replyTo && !address.test(replyTo.trim())) errors.replyTo = faults.notAnAddress;
  return errors;
}

export function fieldErrorsOf(failure: Pick<ApiFailure, 'items'>, draft: Partial<Draft> = {}): FieldErrors {
  const errors: FieldErrors = {};
  for (const item of failure.items) {
    const field = fieldOf(item.errorCode, item.detail);
    const text = textOf(field, item, draft);
    errors[field] = errors[field] ? `${errors[field]} ${text}` : text;
  }
  return errors;
}

/** The same as one sentence, where there are no fields. */
export function refusalOf(error: Error, draft?: Partial<Draft>): string {
  if (!(error instanceof ApiFailure) || error.status === 412) return error.message;
  return Object.values(fieldErrorsOf(error, draft)).join(' ');
}

function fieldOf(errorCode: string, detail = ''): DraftField | 'form' {
  if (errorCode === 'UnapprovedEmailDomainException') return 'fromEmail';
  if (errorCode === 'TEMPLATE_ALREADY_EXISTS') return 'name';
  const named = byDetail.get(detail) ?? byDetail.get(/^\w+/.exec(detail)?.[0] ?? '');
  if (errorCode === 'UnknownVariablesException') return named ?? 'html';
  return named ?? 'form';
}

type Item = ApiFailure['items'][number];

/** The API uses its own field names; people know the labels. */
function textOf(field: DraftField | 'form', { errorCode, message, detail = '' }: Item, draft: Partial<Draft>): string {
  if (errorCode === 'UnapprovedEmailDomainException')
    return t.unapproved(wordsIn(errorCode, message).domain ?? draft.fromEmail?.split('@').pop() ?? '');
  if (errorCode === 'TEMPLATE_ALREADY_EXISTS') return faults.nameTaken(draft.name ?? '');
  const unknown = errorCode === 'UnknownVariablesException' && variablesIn(message).slice(0, 5).join(', ');
  if (field === 'languages') return translationFault(unknown ? faults.unknown(unknown) : undefined, message, detail);
  if (unknown !== false) return faults.unknown(unknown);
  if (field === 'form') return message;
  const reason = reasonIn(message, detail);
  if (reason && saysRequired(reason)) return faults.required[field];
  if (field === 'folderId') return faults.noSuchFolder;
  if (field === 'topicId') return faults.noSuchTopic;
  if (field === 'fromEmail' || field === 'replyTo') return faults.notAnAddress;
  if (reason && saysTooLong(reason)) return faults.tooLong(t.fields[field]);
  return reason ? `${t.fields[field]} ${reason}` : message;
}

/** `German (de): Subject must …` */
function translationFault(words: string | undefined, message: string, detail: string): string {
  const [, tag, field = ''] = /^languages\.([\w-]+)(?:\.(\w+))?/.exec(detail) ?? [];
  const reason = reasonIn(message, detail) ?? message;
  const name = field in t.fields ? `${t.fields[field as DraftField]} ` : '';
  if (words !== undefined) return tag === undefined ? words : `${languageName(tag)}: ${words}`;
  return tag === undefined ? `${t.fields.languages} ${reason}` : `${languageName(tag)}: ${name}${reason}`;
}
