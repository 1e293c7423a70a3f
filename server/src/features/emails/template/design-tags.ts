// What templates of designs use beyond Liquid: conditions about the contact, rounds over a list, and HTML reduced to its words.
import {
  type Context,
  type Emitter,
  evalToken,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
  type ValueToken,
} from 'liquidjs';
import { plainText } from '../../../mail/plain-text.js';
import { designTags, mostRounds } from '../../designs/index.js';

/** Where a render finds the outcome of its conditions. Not a name, so that no template can read or replace it. */
export const outcomes = Symbol('outcomes');
/** Whether a condition holds; the text is the content of its tag. */
export type Outcomes = (condition: string) => boolean;

/** The condition that the tag for public topics stands for. */
const publicTopics = '';

function outcomeIn(context: Context, condition: string): boolean {
  const decide = (context.environments as { [outcomes]?: Outcomes })[outcomes];
  return decide?.(condition) ?? false;
}

/** Reads templates up to the tag that ends this one. */
function readBranches(name: string, token: TagToken, rest: TopLevelToken[], parser: Parser): [Template[], Template[]] {
  const branches: [Template[], Template[]] = [[], []];
  let branch = 0;
  const stream = parser
    .parseStream(rest)
    .on('template', (template: Template) => void branches[branch as 0 | 1].push(template))
    .on('tag:else', () => {
      if (branch === 1) throw new Error(`tag ${token.getText()} has two else`);
      branch = 1;
    })
    .on(`tag:end${name}`, () => stream.stop())
    .on('end', () => {
      throw new Error(`tag ${token.getText()} not closed`);
    });
  stream.start();
  return branches;
}

// liquidjs wants generators; these have nothing to wait for.
const nothing: readonly never[] = [];

abstract class Condition extends Tag {
  private readonly branches: [Template[], Template[]];
  protected readonly condition: string = publicTopics;

  constructor(name: string, token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    this.branches = readBranches(name, token, rest, parser);
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const [then, otherwise] = this.branches;
    yield this.liquid.renderer.renderTemplates(outcomeIn(context, this.condition) ? then : otherwise, context, emitter);
  }

  *children(): Generator<unknown, Template[]> {
    yield* nothing;
    return this.branches.flat();
  }
}

class AudienceTag extends Condition {
  protected override readonly condition: string;

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(designTags.audience, token, rest, liquid, parser);
    this.condition = token.args.trim();
    if (this.condition === '') throw new Error(`tag ${token.getText()} has no filter`);
  }
}

class PublicTopicsTag extends Condition {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(designTags.publicTopics, token, rest, liquid, parser);
  }
}

/** Rounds over a list. What is no list has none. */
class EachTag extends Tag {
  private readonly list: ValueToken;
  private readonly templates: Template[];

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    const list = this.tokenizer.readValue();
    if (!list) throw new Error(`tag ${token.getText()} has no list`);
    this.list = list;
    this.templates = readBranches(designTags.each, token, rest, parser)[0];
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const list = toValue(yield evalToken(this.list, context)) as unknown;
    if (!Array.isArray(list)) return;
    const scope: { item?: unknown } = Object.create(null);
    context.push(scope);
    for (const item of list.slice(0, mostRounds)) {
      scope.item = item;
      yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    }
    context.pop();
  }

  *children(): Generator<unknown, Template[]> {
    yield* nothing;
    return this.templates;
  }

  *arguments(): Generator<ValueToken> {
    yield this.list;
  }

  *blockScope(): Generator<string> {
    yield 'item';
  }
}

/** HTML inside a template for plain text: rendered as HTML, where values are escaped, then reduced to its words. */
export function plainTag(html: () => Liquid): Parameters<Liquid['registerTag']>[1] {
  return class PlainTag extends Tag {
    private readonly templates: Template[];

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
      super(token, rest, liquid);
      this.templates = readBranches(designTags.plain, token, rest, html().parser)[0];
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const rendered = yield html().renderer.renderTemplates(this.templates, context);
      emitter.write(plainText(String(rendered)).trim());
    }

    *children(): Generator<unknown, Template[]> {
      yield* nothing;
      return this.templates;
    }
  };
}

/** A value as a part of an address. */
function urlPart(value: unknown): string {
  const text = String(toValue(value) ?? '').toWellFormed();
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const isNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** A number as people of that language write it. Anything else stays as it is. */
function sayNumber(given: unknown, lang: unknown): unknown {
  const value = toValue(given) as unknown;
  const number = typeof value === 'string' && isNumber.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? numbers(languageOf(lang)).format(number) : value;
}

function sayDate(given: unknown, lang: unknown): unknown {
  const value = toValue(given) as unknown;
  if (typeof value !== 'string' || !isDate.test(value.trim())) return value;
  const time = Date.parse(/[T]/.test(value) && !/Z|[+-]\d\d:?\d\d$/.test(value) ? `${value.trim()}Z` : value.trim());
  return Number.isNaN(time) ? value : dates(languageOf(lang)).format(time);
}

function languageOf(lang: unknown): string {
  try {
    return Intl.getCanonicalLocales(String(lang))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Makes one a language: that takes longer than a hundred uses. */
function remembered<T>(make: (lang: string) => T): (lang: string) => T {
  const made = new Map<string, T>();
  return (lang) => {
    const known = made.get(lang);
    if (known) return known;
    if (made.size > 50) made.clear();
    const fresh = make(lang);
    made.set(lang, fresh);
    return fresh;
  };
}

const numbers = remembered((lang) => new Intl.NumberFormat(lang, { maximumFractionDigits: 10 }));
// The same day on every node and for every reader.
const dates = remembered((lang) => new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }));

export function addDesignTags(engine: Liquid): void {
  engine.registerTag(designTags.audience, AudienceTag);
  engine.registerTag(designTags.publicTopics, PublicTopicsTag);
  engine.registerTag(designTags.each, EachTag);
  engine.registerFilter('url_part', urlPart);
  engine.registerFilter('say_number', sayNumber);
  engine.registerFilter('say_date', sayDate);
}
