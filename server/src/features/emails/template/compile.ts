import { analyzeSync, type LiquidError, type Template } from 'liquidjs';
import * as engine from './engine.js';
import { excessOf } from './measure.js';
import { positionIn } from './position.js';

/** A position; line and column count from 1. */
interface Place {
  line: number;
  column: number;
}
export interface Problem extends Place {
  message: string;
}
/** A name that a template takes from outside, at one place. `shown` is the whole path. */
export interface Variable extends Place {
  name: string;
  shown: string;
}

export type Compiled = { ok: true; template: CompiledTemplate } | { ok: false; problem: Problem };

class CompiledTemplate {
  constructor(
    private readonly templates: Template[],
    private readonly kind: engine.Kind,
  ) {}

  /** All variables that the template does not assign itself. Computed on demand, because sending does not need it. */
  variables(): Variable[] {
    const { globals } = analyzeSync(this.templates, { partials: false });
    return Object.entries(globals).flatMap(([name, uses]) =>
      uses.map((use) => ({ name, shown: String(use), line: use.location.row, column: use.location.col })),
    );
  }

  render(platform: engine.PlatformValues, properties: engine.Values): string {
    return engine.render(this.templates, this.kind, platform, properties);
  }
}

// Keyed by the text itself: nothing to hash, and the parsed templates hold the text anyway.
const caches = {
  html: new Map<string, Compiled>(),
  text: new Map<string, Compiled>(),
  json: new Map<string, Compiled>(),
};
const mostCached = 16 * 1024 * 1024;
const cachedSize = { html: 0, text: 0, json: 0 };

/** Parses a template, or returns the cached one. The least recently used ones are evicted. */
export function compile(text: string, kind: engine.Kind): Compiled {
  const cache = caches[kind];
  const known = cache.get(text);
  if (known) {
    // Moved to the end only if the cache is nearly full.
    if (cachedSize[kind] > mostCached / 2) {
      cache.delete(text);
      cache.set(text, known);
    }
    return known;
  }
  const compiled = compileAnew(text, kind);
  cache.set(text, compiled);
  cachedSize[kind] += text.length + 1000;
  for (const oldest of cache.keys()) {
    if (cachedSize[kind] <= mostCached || oldest === text) break;
    cache.delete(oldest);
    cachedSize[kind] -= oldest.length + 1000;
  }
  return compiled;
}

function compileAnew(text: string, kind: engine.Kind): Compiled {
  const excess = excessOf(text);
  if (excess) {
    const [line, column] = positionIn(text, excess.offset);
    return { ok: false, problem: { line, column, message: excess.message } };
  }
  try {
    return { ok: true, template: new CompiledTemplate(engine.parse(text, kind), kind) };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** The message of a liquidjs error, without the position that liquidjs appends. */
export function problemOf(error: unknown): Problem {
  const { token, message, originalError } = error as LiquidError;
  const [line = 1, column = 1] = token?.getPosition() ?? [];
  if (error instanceof RangeError || originalError instanceof RangeError)
    return { line, column, message: 'nested too deeply, or too large' };
  const plain = message.replace(/, line:\d+, col:\d+$/, '').replace(/\s+/g, ' ');
  return { line, column, message: plain.length > 200 ? `${plain.slice(0, 200)}…` : plain };
}
