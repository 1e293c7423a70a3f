// What is done before an email is saved, outside the transaction, which must not wait for it: compiling the design and checking the texts.
import type { Design, DesignProblem } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { compilerVersion } from '../../designs/index.js';
import { selectFilesByHash } from '../../files/index.js';
import { checkTexts } from '../check-templates.js';
import type { Content } from '../queries.js';
import type { Checked, FieldVariable } from '../rendering/texts.js';
import { type Basis, compileDesign, type DesignNeeds, noBasis, type Overlay } from './compile-design.js';
import { hashesIn, usesOfEmail } from './uses.js';

/** The texts of an email as its author gives them. */
export interface Draft extends Pick<Content, 'subject' | 'preheader'> {
  /** The texts as they are; or a design that is to be compiled. */
  body: Pick<Content, 'html' | 'text' | 'design' | 'compiledBy'> | { toCompile: unknown };
}

/** What is stored, and what was found when it was made. */
export interface Prepared {
  made: Pick<Content, 'html' | 'text' | 'design' | 'compiledBy' | 'uses'>;
  checked: { faults: readonly { field: string; message: string }[]; variables: readonly FieldVariable[] };
  /** Of the design. */
  problems: readonly DesignProblem[];
  basis: Basis;
}

export interface PrepareNeeds extends DesignNeeds {
  db: Database;
}

export async function prepareEmail(
  needs: PrepareNeeds,
  tenantId: number,
  { subject, preheader, body }: Draft,
  overlay?: Overlay,
): Promise<Prepared> {
  if (!('toCompile' in body)) {
    const { html, text, design, compiledBy } = body;
    const checked = await checkTexts(needs.renderer, tenantId, { subject, preheader, html });
    const files = await selectFilesByHash(needs.db, tenantId, hashesIn(html));
    const made = { html, text, design, compiledBy, uses: usesOfEmail(design?.blocks ?? [], html) };
    return {
      made,
      checked: aboutDesign(checked, design),
      problems: [],
      basis: { ...noBasis, files: files.map(hashOf) },
    };
  }
  const { html, text, problems, design, basis } = await compileDesign(needs, tenantId, body.toCompile, overlay);
  const made = {
    ...{ html, text, design: design ?? null, compiledBy: compilerVersion },
    uses: usesOfEmail(design?.blocks ?? [], html),
  };
  // There is no html to check.
  if (!design || problems.some(isError)) return { made, checked: noChecks, problems, basis };
  const checked = await checkTexts(needs.renderer, tenantId, { subject, preheader, html });
  return { made, checked: aboutDesign(checked, design), problems, basis };
}

const noChecks: Prepared['checked'] = { faults: [], variables: [] };
const hashOf = ({ hash }: { hash: string }) => hash;

export function isError({ severity }: DesignProblem): boolean {
  return severity === 'error';
}

/** The html of a design is ours: its variables were checked where they stand, and what is wrong with it is wrong with the design. */
function aboutDesign({ faults, variables }: Checked, design: Design | null): Prepared['checked'] {
  if (!design) return { faults, variables };
  return {
    faults: faults.map((fault) => (fault.field === 'html' ? { ...fault, field: 'design' } : fault)),
    variables: variables.filter(({ field }) => field !== 'html'),
  };
}
