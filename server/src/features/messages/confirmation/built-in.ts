// The confirmation mail for topics without their own. It is not one of the tenant's emails, but is sent like one.
import type { Runner } from '../../../db/database.js';
import type { StoredEmail } from '../../emails/index.js';
import { findFirstDomain } from '../../sending/index.js';
import { type Language, languages } from '../pages/texts.js';

interface MailWords {
  subject: string;
  /** The sender, and what happens without an answer. */
  text: string;
  about: string;
  button: string;
  ignore: string;
}

const words: Record<Language, MailWords> = {
  en: {
    subject: 'Please confirm your subscription',
    text: 'Someone submitted a form with the address {{email}}. Please confirm that it was you:',
    about: 'It is about',
    button: 'Yes, that was me',
    ignore:
      'If it wasn’t you, ignore this email and you won’t hear from us about it again. The link works for 30 days.',
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihre Anmeldung',
    text: 'Ein Formular wurde mit der Adresse {{email}} abgeschickt. Bitte bestätigen Sie, dass Sie das waren:',
    about: 'Es geht um',
    button: 'Ja, das war ich',
    ignore:
      'Wenn Sie es nicht waren, tun Sie nichts: Ohne Ihre Antwort kommt deswegen keine weitere Mail. Der Link gilt 30 Tage.',
  },
  fr: {
    subject: 'Veuillez confirmer votre inscription',
    text: 'Un formulaire a été envoyé avec l’adresse {{email}}. Veuillez confirmer que c’était vous :',
    about: 'Il s’agit de',
    button: 'Oui, c’était moi',
    ignore:
      'Si ce n’était pas vous, ne faites rien : sans votre réponse, vous ne recevrez plus rien à ce sujet. Le lien est valable 30 jours.',
  },
  es: {
    subject: 'Confirme su suscripción',
    text: 'Se ha enviado un formulario con la dirección {{email}}. Confirme que ha sido usted:',
    about: 'Se trata de',
    button: 'Sí, he sido yo',
    ignore:
      'Si no ha sido usted, no haga nada: sin su respuesta no recibirá más correos por ello. El enlace es válido durante 30 días.',
  },
};

/** No email of a tenant has such an id: those begin with a time. */
const idOf = (language: Language) => `ffffffffffffffffffffff0${languages.indexOf(language) + 1}`;
const languageOf = new Map(languages.map((language) => [idOf(language), language]));

/** The confirmation email in this language. */
export function builtInEmailId(language: Language): string {
  return idOf(language);
}

/** The built-in emails among these ids. Without a sending domain they have no approved sender. */
export async function builtInEmails(db: Runner, tenantId: number, ids: readonly string[]): Promise<StoredEmail[]> {
  const asked = ids.flatMap((id) => languageOf.get(id) ?? []);
  if (asked.length === 0) return [];
  const domain = (await findFirstDomain(db, tenantId)) ?? 'invalid';
  return asked.map((language) => emailIn(language, `no-reply@${domain}`));
}

const never = { createdAt: '', createdBy: 0, updatedAt: '', updatedBy: 0 };

function emailIn(language: Language, senderEmail: string): StoredEmail {
  const { subject, text, about, button, ignore } = words[language];
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1c2230">
<h1 style="font-size:22px">${subject}</h1>
<p>${text}</p>
{% if data.topics %}<p>${about}: <strong>{{ data.topics }}</strong></p>{% endif %}
{% if data.text %}<p style="padding-left:12px;border-left:3px solid #d5d9e2">{{ data.text }}</p>{% endif %}
<p><a href="{{ confirm_url }}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2148b8;color:#ffffff">${button}</a></p>
<p>{{ confirm_url }}</p>
<p style="color:#4a5365">${ignore}</p>
</body></html>
`;
  return {
    ...{ id: idOf(language), name: subject, subject, preheader: null, html, text: null },
    ...{ senderEmail, senderName: null },
    ...{ replyTo: null, directoryId: null, topicId: null, languages: [], revision: 1, ...never },
  };
}
