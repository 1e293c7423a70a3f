// The content of a save, in the words of the page, and the differences between two. Pure.
import { t } from '../../../texts/emails.ts';
import type { Save, SaveRow } from '../email-api.ts';

type Texts = Pick<Save, 'name' | 'subject' | 'preheader' | 'html' | 'fromEmail' | 'replyTo' | 'languages'>;

/** `Subject, HTML` */
export function changedWords({ changed, revision, restoredFrom }: SaveRow): string {
  if (restoredFrom !== null) return t.restoredFrom(restoredFrom);
  if (revision === 1) return t.firstSave;
  return changed.map((field) => t.fields[field]).join(', ') || t.changedNothing;
}

interface Difference {
  label: string;
  before: string;
  after: string;
}

export function differencesBetween(before: Texts | undefined, after: Texts): Difference[] {
  const all = [
    { label: t.fields.name, of: (texts: Texts) => texts.name },
    { label: t.fields.subject, of: (texts: Texts) => texts.subject },
    { label: t.fields.preheader, of: (texts: Texts) => texts.preheader ?? '' },
    { label: t.from, of: ({ fromEmail }: Texts) => senderOf(fromEmail) },
    { label: t.fields.replyTo, of: (texts: Texts) => texts.replyTo },
    { label: t.fields.html, of: (texts: Texts) => texts.html },
    { label: t.fields.languages, of: ({ languages = {} }: Texts) => translationsOf(languages) },
  ];
  return all
    .map(({ label, of }) => ({ label, before: before ? of(before) : '', after: of(after) }))
    .filter((each) => each.before !== each.after);
}

/** One below the other, each with its tag. */
function translationsOf(languages: NonNullable<Texts['languages']>): string {
  return Object.entries(languages)
    .map(([tag, { subject, preheader, html }]) => [`[${tag}]`, subject, preheader, html].filter(Boolean).join('\n'))
    .join('\n\n');
}

function senderOf({ email, name }: Texts['fromEmail']): string {
  return name ? `${name} <${email}>` : email;
}
