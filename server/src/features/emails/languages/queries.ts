import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { inOrder, type Translation, type Translations } from './translation.js';

/** All translations of a row of `email`, as an object; `none` where it has no languages, which costs nothing. */
export function translationsOf(none: Sql): Sql {
  // While a change is being committed, the email may be newer than its translations: see lockEmail.
  return sql`case when email.languages = '{}' then ${none} else coalesce((
    select jsonb_object_agg(l.language, jsonb_build_object('subject', l.subject, 'preheader', l.preheader, 'html', l.html,
      'text', l.text_template, 'design', l.design, 'compiledBy', l.compiled_by))
    from email_language l where l.tenant_id = email.tenant_id and l.email_id = email.email_id), ${none}) end`;
}

/** The texts of emails in other languages, by `email:language`: those that messages are sent in, in one statement. */
export async function selectTranslations(
  db: Runner,
  tenantId: number,
  wanted: readonly { emailId: string; language: string }[],
): Promise<Map<string, Pick<Translation, 'subject' | 'preheader' | 'html' | 'text'>>> {
  if (wanted.length === 0) return new Map();
  type Row = Pick<Translation, 'subject' | 'preheader' | 'html' | 'text'> & { emailId: string; language: string };
  const rows = await db.rows(sql<Row>`
    select l.email_id as "emailId", l.language, l.subject, l.preheader, l.html, l.text_template as text
    from unnest(${wanted.map((w) => bytes(w.emailId))}::bytea[], ${wanted.map((w) => w.language)}::text[]) w (email_id, language)
    join email_language l on l.tenant_id = ${tenantId} and l.email_id = w.email_id and l.language = w.language`);
  return new Map(rows.map(({ emailId, language, ...texts }) => [`${emailId}:${language}`, texts]));
}

/** The html of an email in its other languages. */
export async function selectTranslatedHtml(db: Runner, tenantId: number, emailId: string): Promise<TranslatedHtml[]> {
  return db.rows(sql<TranslatedHtml>`
    select language, html from email_language
    where tenant_id = ${tenantId} and email_id = ${bytes(emailId)} and html is not null order by language`);
}
interface TranslatedHtml {
  language: string;
  html: string;
}

/** Replaces the translations of an email that is locked, or new. */
export async function storeTranslations(
  tx: Transaction,
  tenantId: number,
  emailId: string,
  translations: Translations,
): Promise<void> {
  await tx.run(sql`
    delete from email_language where tenant_id = ${tenantId} and email_id = ${bytes(emailId)}`);
  const all = Object.entries(inOrder(translations));
  if (all.length === 0) return;
  const of = <T>(value: (translation: Translation) => T) => all.map(([, translation]) => value(translation));
  await tx.run(sql`
    insert into email_language (tenant_id, email_id, language, subject, preheader, html, text_template, design, compiled_by)
    select ${tenantId}, ${bytes(emailId)}, language, subject, preheader, html, text_template, design::jsonb, compiled_by
    from unnest(${all.map(([language]) => language)}::text[], ${of((t) => t.subject)}::text[], ${of((t) => t.preheader)}::text[],
      ${of((t) => t.html)}::text[], ${of((t) => t.text)}::text[], ${of((t) => t.design && JSON.stringify(t.design))}::text[],
      ${of((t) => t.compiledBy)}::integer[])
      as n (language, subject, preheader, html, text_template, design, compiled_by)`);
}
