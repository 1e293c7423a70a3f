// The texts of an email in other languages.
import { type Static, Type } from 'typebox';
import { GivenDesign, StoredDesign } from './designs.js';
import { languageLimits } from './grammar/language.js';
import { HeaderText, Named, Nullable } from './schema.js';

const own = "Null: the email's own.";

export const Translation = Named(
  'EmailTranslation',
  {
    subject: Nullable(Type.String({ description: own })),
    preheader: Nullable(Type.String({ description: `${own} Empty: none.` })),
    html: Nullable(Type.String({ description: `${own} Made from the design, where there is one.` })),
    design: StoredDesign,
    missing: Type.Array(Type.String(), {
      description:
        'What is not translated: `subject`, `preheader`, `html` or `design` where the email has its own, and places in the design whose text is that of the email. A warning: nothing keeps it from being sent.',
    }),
  },
  'The texts of an email in one language.',
);

/** One language in a body. The reader takes it for each language by itself. */
export const TranslationInput = Named('EmailTranslationInput', {
  subject: Type.Optional(Nullable(HeaderText(998, `A Liquid template, as that of the email. ${own}`))),
  preheader: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 998,
        trim: true,
        description: `A Liquid template, as that of the email. ${own} Empty: none.`,
      }),
    ),
  ),
  html: Type.Optional(
    Nullable(Type.String({ minLength: 1, description: `At most 2 MiB in UTF-8. Not together with a design. ${own}` })),
  ),
  design: Type.Optional(GivenDesign),
});
export type TranslationText = Static<typeof TranslationInput>;

/** In an answer, by tag. */
export const Translations = Type.Unsafe<Record<string, Static<typeof Translation>>>({
  type: 'object',
  additionalProperties: Translation,
  description:
    "The texts in other languages, by language tag. The contact's property `language`, else `locale`, decides which is sent: `de-AT`, else `de`, else the email's own. Left out where there are none.",
});

const shownInput = { ...TranslationInput, type: ['object', 'null'] };
const limits = `At most ${languageLimits.languages} languages and ${languageLimits.bytes / 1024 / 1024} MiB in all.`;

export const GivenTranslations = Type.Unknown({
  checkedLater: true,
  shownAs: { type: 'object', additionalProperties: TranslationInput },
  description: `The texts in other languages, by language tag, such as \`de\` or \`pt-BR\`. What a language leaves out is the email's own. ${limits}`,
});
export const ChangedTranslations = Type.Unknown({
  checkedLater: true,
  shownAs: { type: ['object', 'null'], additionalProperties: shownInput },
  description: `Languages that are not named stay, and so do fields of a language that are not named. Null removes a language, or all. ${limits}`,
});

/** Of a preview. */
export const languageText =
  'A language tag, such as `de` or `pt-BR`, in place of what the contact has: `de-AT` shows `de` where there is no other.';
