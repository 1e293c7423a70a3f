// Liquid with restrictions: no template can read a file. Runs only in a process that can be killed; most templates hit these limits first.
import { Context, Liquid, type Template, toValue, toValueSync } from 'liquidjs';
import { designTags } from '../../designs/index.js';
import { addDesignTags, type Outcomes, outcomes, plainTag } from './design-tags.js';
import { JsonPosition, JsonValue } from './json-output.js';
import { Patience } from './patience.js';
import { installFastPositions } from './position.js';

// Characters of output, and of intermediate filter results. Four times the longest template.
const mostMemory = 8 * 1024 * 1024;

/** What the platform itself offers to templates; there are no other globals. */
export interface PlatformValues {
  email: string;
  unsubscribe_url: string;
  preferences_url: string;
  view_url: string;
  confirm_url: string;
  data: Values;
  event: Values;
  webhook: Values;
  /** Whether the conditions of a design hold. */
  [outcomes]?: Outcomes;
}
export type Values = Readonly<Record<string, unknown>>;

const tags = new Set([
  ...['assign', 'break', 'capture', 'case', 'comment', 'continue', 'cycle', 'decrement', 'for', 'if'],
  ...['increment', 'raw', 'tablerow', 'unless', '#'],
]);

// Left out: `…_exp`, which run text as an expression that no analysis sees; `push`, `unshift` and `group_by`, which can nest
// lists without end; `sample`, `inspect` and hashes, which are not needed. `json` is for webhook bodies.
const filters = new Set([
  ...[
    'default',
    'raw',
    'escape',
    'escape_once',
    'xml_escape',
    'newline_to_br',
    'strip_html',
    'url_encode',
    'url_decode',
  ],
  ...['cgi_escape', 'uri_escape', 'slugify', 'base64_encode', 'base64_decode'],
  ...['append', 'prepend', 'capitalize', 'downcase', 'upcase', 'strip', 'lstrip', 'rstrip', 'strip_newlines', 'squish'],
  ...['normalize_whitespace', 'remove', 'remove_first', 'remove_last', 'replace', 'replace_first', 'replace_last'],
  ...['slice', 'split', 'truncate', 'truncatewords', 'number_of_words', 'size'],
  ...['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'modulo', 'plus', 'round', 'times'],
  ...['to_integer', 'sum', 'json'],
  ...['array_to_sentence_string', 'compact', 'concat', 'find', 'find_index', 'first', 'has', 'join', 'last', 'map'],
  ...['reject', 'reverse', 'sort', 'sort_natural', 'uniq', 'where'],
  ...['date', 'date_to_long_string', 'date_to_rfc822', 'date_to_string', 'date_to_xmlschema'],
]);

installFastPositions();

function createEngine(outputEscape?: 'escape' | ((value: unknown) => unknown)): Liquid {
  const engine = new Liquid({
    ...(outputEscape ? { outputEscape: outputEscape as 'escape' } : {}),
    strictFilters: true,
    ownPropertyOnly: true,
    memoryLimit: mostMemory,
    // The same formats on every node.
    timezoneOffset: 0,
    locale: 'en-US',
    templates: {},
  });
  // include, render, layout and block would look for files; the liquid tag hides any number of tags in one.
  for (const tag of Object.keys(engine.tags)) if (!tags.has(tag)) delete engine.tags[tag];
  for (const filter of Object.keys(engine.filters)) if (!filters.has(filter)) engine.unregisterFilter(filter);
  addDesignTags(engine);
  boundOutput(engine);
  return engine;
}

/** The output of `json` is JSON already. */
function createJsonEngine(): Liquid {
  const engine = createEngine((value) => new JsonValue(value));
  const json = engine.filters.json as (...given: unknown[]) => unknown;
  engine.registerFilter('json', { raw: true, handler: json });
  return engine;
}

/** Counts all output, including captures: liquidjs counts only what its filters produce. */
class BoundedEmitter {
  buffer = '';
  constructor(private readonly context: Context) {}
  write(value: unknown): void {
    const text = typeof value === 'string' ? value : this.textOf(value);
    this.context.memoryLimit.use(text.length);
    this.buffer += text;
  }

  /** Captured text is kept unescaped: it is escaped where it is output. */
  protected textOf(value: unknown): string {
    return written(value instanceof JsonValue ? value.value : value);
  }
}

class JsonEmitter extends BoundedEmitter {
  private readonly position = new JsonPosition();

  override write(value: unknown): void {
    const from = this.buffer.length;
    super.write(value);
    this.position.follow(this.buffer.slice(from));
  }

  protected override textOf(value: unknown): string {
    return value instanceof JsonValue ? this.position.write(value) : super.textOf(value);
  }
}

// An array is written without separators.
function written(given: unknown): string {
  const value = toValue(given);
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(written).join('') : String(value);
}

function boundOutput(engine: Liquid): void {
  const render = engine.renderer.renderTemplates.bind(engine.renderer);
  engine.renderer.renderTemplates = (templates, context, emitter) =>
    render(templates, context, emitter ?? new BoundedEmitter(context));
}

function limits(liquid: Liquid) {
  return { liquid, renderLimit: new Patience() as unknown as Context['renderLimit'] };
}

const engines = { html: createEngine('escape'), text: createEngine(), json: createJsonEngine() };
engines.text.registerTag(
  designTags.plain,
  plainTag(() => engines.html),
);
/** Values are escaped in HTML and in JSON, but not in a subject. */
export type Kind = keyof typeof engines;

export function parse(text: string, kind: Kind): Template[] {
  return engines[kind].parse(text);
}

/** Throws if the template exceeds a limit, or a filter fails. */
export function render(templates: Template[], kind: Kind, platform: PlatformValues, properties: Values): string {
  const engine = engines[kind];
  // The platform's names come first, so that no property can replace unsubscribe_url. Nothing is copied.
  const context = new Context(platform, engine.options, { sync: true, globals: properties }, limits(engine));
  const emitter = kind === 'json' ? new JsonEmitter(context) : new BoundedEmitter(context);
  return toValueSync(engine.renderer.renderTemplates(templates, context, emitter) as IterableIterator<string>);
}
