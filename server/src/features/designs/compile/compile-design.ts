import { type Block, type Design, type DesignProblem, designLimits } from '@rapport/contract';
import type { KnownFiles } from '../html/blocks.js';
import { writeDocument } from '../html/document.js';
import { Check, type UsedVariable } from './check.js';
import type { ReadTemplate } from './check-html-block.js';
import { expand } from './expand.js';
import { lookOf } from './theme.js';
import { writeText } from './write-text.js';

/** What a design refers to. Plain data: it is sent to the process that compiles. */
export interface Known {
  /** Saved blocks by id, with those that they refer to. Null or absent: gone. */
  readonly blocks: Readonly<Record<string, readonly Block[] | null>>;
  /** Files by their address as written. Null: it is one of ours, but gone. Absent: a picture from elsewhere. */
  readonly files: KnownFiles;
}

export interface CompiledDesign {
  readonly html: string;
  /** A Liquid template, too. */
  readonly text: string;
  /** Bytes of the html in UTF-8. */
  readonly size: number;
  readonly problems: DesignProblem[];
  /** Whether they are known is for the caller to say: see unknownVariable. */
  readonly variables: readonly UsedVariable[];
}

/** A pure function of its arguments and the version of the compiler. What is wrong is left out of the result and told. */
export function compileDesign(design: Design, known: Known, readTemplate: ReadTemplate): CompiledDesign {
  const look = lookOf(design.theme);
  const { items, problems } = expand(design.blocks, known.blocks, 'design.blocks');
  const check = new Check(look, known.files, readTemplate);
  check.all(items);
  check.end();
  const html = writeDocument(items, look, known.files);
  const size = Buffer.byteLength(html);
  const large: DesignProblem[] = [];
  if (size > designLimits.htmlBytes)
    large.push({
      place: 'design',
      severity: 'warning',
      message: `the html has ${size} bytes (${Math.ceil(size / 1024)} KB); Gmail cuts off what is over 102 KB`,
    });
  return {
    html,
    text: writeText(items, look.lang),
    size,
    problems: [...problems, ...check.problems, ...large],
    variables: check.variables,
  };
}

export function unknownVariable({ shown, place }: UsedVariable): DesignProblem {
  return { place, severity: 'error', message: `{{${shown}}} is unknown: no contact has this property` };
}
