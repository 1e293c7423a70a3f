// What a command was called with. One rule for all: -h and --help show how it is called, and whatever is wrong is named before that.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { asCalled } from './as-called.js';
import { Complaint } from './complaint.js';

interface Word {
  /** What to do where it is not given. */
  missing?: string;
  /** It must be one of these. */
  oneOf?: readonly string[];
}

export interface Shape {
  /** Its first line is shown with every complaint, the whole with --help. */
  usage: string;
  /** Each must be given. */
  words: readonly Word[];
  options: Record<string, { type: 'string' | 'boolean' }>;
}

type Values<S extends Shape> = {
  [name in keyof S['options']]?: S['options'][name]['type'] extends 'string' ? string : boolean;
};
interface Arguments<S extends Shape> {
  words: string[];
  values: Values<S>;
}

/** Undefined where only help was asked for. */
export function readArguments<const S extends Shape>(args: string[], shape: S): Arguments<S> | undefined {
  const options = { ...shape.options, help: { type: 'boolean', short: 'h' } } as const;
  // Not strict: Node's own sentences are about its API.
  const config = { args, options, strict: false, tokens: true, allowPositionals: true } as const;
  const { values, positionals, tokens } = parseArgs(config);
  if (values.help) return undefined;
  const wrong = tokens.map((token) => whatIsWrong(token, shape)).find(Boolean) ?? whichWord(positionals, shape.words);
  if (wrong) throw misused(wrong, shape.usage);
  return { words: positionals, values: values as Values<S> };
}

/** A complaint about how a command was called. */
export function misused(wrong: string, usage: string): Complaint {
  const [first = ''] = usage.split('\n');
  const name = /-- (\S+)/.exec(first)?.[1] ?? '';
  return new Complaint(asCalled(`${wrong}\n\n${first}\nMore: npm run rapport -- ${name} --help`));
}

type Token = NonNullable<ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>['tokens']>[number];

function whatIsWrong(token: Token, { options }: Shape): string | undefined {
  if (token.kind !== 'option') return undefined;
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (!option) return `There is no option ${token.rawName}.`;
  if (option.type === 'boolean') return token.value === undefined ? undefined : `${token.rawName} takes no value.`;
  // The next option is not meant to be the value.
  const isForgotten = token.value === undefined || (!token.inlineValue && /^-./.test(token.value));
  return isForgotten ? `${token.rawName} needs a value.` : undefined;
}

function whichWord(given: readonly string[], words: readonly Word[]): string | undefined {
  for (const [i, { missing, oneOf }] of words.entries()) {
    const word = given[i];
    if (word === undefined) return missing ?? `Say what to do: ${oneOf?.join(' or ')}.`;
    if (oneOf && !oneOf.includes(word)) return `"${word}" is nothing that it can do. Say ${oneOf.join(' or ')}.`;
  }
  const more = given[words.length];
  return more === undefined ? undefined : `"${more}" is one word too many.`;
}
