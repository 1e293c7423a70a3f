// What is done before an email is saved, outside the transaction, which must not wait for it: compiling designs and checking the texts.
import { type Design, type DesignProblem, languageLimits } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { compilerVersion } from '../../designs/index.js';
import { selectFilesByHash } from '../../files/index.js';
import { checkTexts } from '../check-templates.js';
import {
  inLanguage,
  type Translation,
  type TranslationDraft,
  type TranslationDrafts,
} from '../languages/translation.js';
import type { Content } from '../queries.js';
import type { Checked, FieldVariable } from '../rendering/texts.js';
import { type Basis, compileDesign, type DesignNeeds, isError, noBasis, type Overlay } from './compile-design.js';
import { OutOfDate } from './hold-basis.js';
import { hashesIn, usesOfEmail } from './uses.js';

/** The texts of an email as its author gives them. */
export interface Draft extends Pick<Content, 'subject' | 'preheader'> {
  /** The texts as they are; or a design that is to be compiled. */
  body: Pick<Content, 'html' | 'text' | 'design' | 'compiledBy'> | { toCompile: unknown };
  /** In other languages. */
  translations: TranslationDrafts;
}

/** What is stored, and what was found when it was made. */
export interface Prepared {
  made: Pick<Content, 'html' | 'text' | 'design' | 'compiledBy' | 'uses' | 'translations'>;
  checked: { faults: readonly { field: string; message: string }[]; variables: readonly PlacedVariable[] };
  /** Of the designs. */
  problems: readonly DesignProblem[];
  basis: Basis;
}
/** A variable, and the field of the email that it is in. */
type PlacedVariable = Omit<FieldVariable, 'field'> & { field: string };

export interface PrepareNeeds extends DesignNeeds {
  db: Database;
}

export async function prepareEmail(
  needs: PrepareNeeds,
  tenantId: number,
  draft: Draft,
  overlay?: Overlay,
): Promise<Prepared> {
  const own = await prepareTexts(needs, tenantId, { ...draft, isNew: true }, undefined, overlay);
  const all = [own];
  const translations: Record<string, Translation> = {};
  for (const [language, given] of Object.entries(draft.translations)) {
    const { made, ...found } = await prepareTexts(needs, tenantId, given, language, overlay);
    const { uses, ...body } = made;
    translations[language] = { subject: given.subject, preheader: given.preheader, ...body };
    all.push(placed({ made, ...found }, `languages.${language}.`));
  }
  const { html, ...body } = own.made;
  return {
    made: { ...body, html: html ?? '', uses: [...new Set(all.flatMap(({ made }) => made.uses))], translations },
    checked: {
      faults: [...all.flatMap(({ checked }) => checked.faults), ...sizeFaults(translations)],
      variables: all.flatMap(({ checked }) => checked.variables),
    },
    problems: all.flatMap(({ problems }) => problems),
    basis: all.map(({ basis }) => basis).reduce(joined),
  };
}

interface PreparedTexts extends Omit<Prepared, 'made'> {
  made: Omit<Translation, 'subject' | 'preheader'> & { uses: readonly string[] };
}

/** The texts in one language: the email's own without one. */
async function prepareTexts(
  needs: PrepareNeeds,
  tenantId: number,
  { subject, preheader, body, isNew }: TranslationDraft,
  language: string | undefined,
  overlay: Overlay | undefined,
): Promise<PreparedTexts> {
  const check = async (html: string | null) => {
    const texts = { subject: subject ?? '', preheader: preheader || null };
    return html === null
      ? needs.renderer.check(tenantId, { ...texts, html: '' })
      : checkTexts(needs.renderer, tenantId, { ...texts, html });
  };
  if (!('toCompile' in body)) {
    const { html, text, design, compiledBy } = body;
    const made = { html, text, design, compiledBy, uses: usesOfEmail(design?.blocks ?? [], html ?? '') };
    if (!isNew) return { made, checked: noChecks, problems: [], basis: noBasis };
    const files = await selectFilesByHash(needs.db, tenantId, hashesIn(html ?? ''));
    return {
      made,
      checked: aboutDesign(await check(html), design),
      problems: [],
      basis: { ...noBasis, files: files.map(hashOf) },
    };
  }
  const given = body.toCompile;
  const compiled = await compileDesign(needs, tenantId, inLanguage(given, language), overlay);
  const { html, text, problems, basis } = compiled;
  // As it was given: a language that it has from its place is not part of it.
  const design = compiled.design ? (given as Design) : null;
  const made = {
    ...{ html, text, design, compiledBy: compilerVersion },
    uses: usesOfEmail(design?.blocks ?? [], html),
  };
  // There is no html to check.
  if (!design || problems.some(isError)) return { made, checked: noChecks, problems, basis };
  return { made, checked: aboutDesign(await check(html), design), problems, basis };
}

const noChecks: Prepared['checked'] = { faults: [], variables: [] };
const hashOf = ({ hash }: { hash: string }) => hash;

/** What was found in a translation, with its place in the email. */
function placed({ checked, problems, ...rest }: PreparedTexts, prefix: string): PreparedTexts {
  const within = <T extends { field: string }>(it: T) => ({ ...it, field: `${prefix}${it.field}` });
  return {
    ...rest,
    checked: { faults: checked.faults.map(within), variables: checked.variables.map(within) },
    problems: problems.map((problem) => ({ ...problem, place: `${prefix}${problem.place}` })),
  };
}

/** Two compilations may have met another revision of a saved block. */
function joined(a: Basis, b: Basis): Basis {
  for (const [id, revision] of b.blocks) if (a.blocks.has(id) && a.blocks.get(id) !== revision) throw new OutOfDate();
  return { blocks: new Map([...a.blocks, ...b.blocks]), files: [...new Set([...a.files, ...b.files])] };
}

function sizeFaults(translations: Record<string, Translation>): { field: string; message: string }[] {
  let bytes = 0;
  for (const { subject, preheader, html, design } of Object.values(translations))
    for (const text of [subject, preheader, html, design && JSON.stringify(design)])
      bytes += Buffer.byteLength(text ?? '');
  const most = languageLimits.bytes;
  return bytes > most
    ? [{ field: 'languages', message: `take ${bytes} bytes in all; at most ${most} are allowed` }]
    : [];
}

/** The html of a design is ours: its variables were checked where they stand, and what is wrong with it is wrong with the design. */
function aboutDesign({ faults, variables }: Checked, design: Design | null): Prepared['checked'] {
  if (!design) return { faults, variables };
  return {
    faults: faults.map((fault) => (fault.field === 'html' ? { ...fault, field: 'design' } : fault)),
    variables: variables.filter(({ field }) => field !== 'html'),
  };
}
