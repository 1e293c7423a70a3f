import { gzipSync } from 'node:zlib';
import { buildOpenApi, errorCatalogue, pathsOf, routes } from '@rapport/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { referenceCss } from './css.js';
import { highlight, highlightJson } from './highlight.js';
import { referenceCsp, referenceFiles, referencePaths, renderReference } from './index.js';
import { groupByTag } from './layout.js';
import { scripts } from './scripts.js';

const baseUrl = 'http://127.0.0.1:8080';
const page = renderReference({ baseUrl });
/** The visible text: no tags, no entities. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const text = textOf(page);

describe('the OpenAPI documents', () => {
  it.each(['v1', 'v2'] as const)('of %s are valid OpenAPI 3.1', async (version) => {
    const result = await new Validator().validate(
      structuredClone(buildOpenApi(version, baseUrl)) as Record<string, unknown>,
    );
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });
});

describe('the reference page', () => {
  it.each(routes)('shows $id with its paths, its anchor and a link to it', (route) => {
    expect(page).toContain(`id="${route.id}"`);
    expect(page).toContain(`href="#${route.id}"`);
    expect(text).toContain(route.summary);
    for (const path of pathsOf(route)) expect(text).toContain(path);
  });

  it.each(Object.keys(errorCatalogue))('explains the error code %s', (code) => {
    expect(page).toContain(`id="error-${code}"`);
  });

  it('has scripts and styles in files of its own only, as its policy demands', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    const own = scripts.map((name) => `/docs/${name}`);
    for (const [, attributes, content] of page.matchAll(/<script([^>]*)>([^<]*)/g)) {
      expect(own).toContain(/ src="([^"]+)"/.exec(attributes ?? '')?.[1]);
      expect(content).toBe('');
    }
    expect(referenceCsp).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(referenceCsp).not.toMatch(/unsafe|\*|http|data:/);
  });

  it('loads nothing from elsewhere', () => {
    const files = referencePaths as readonly string[];
    const loaded = [...page.matchAll(/<(?:link|img|script|iframe|object)\b[^>]*(?:src|href)="([^"]+)"/g)];
    expect(loaded.length).toBeGreaterThan(0);
    for (const [, path] of loaded) expect(files).toContain(path);
    expect(referenceCss.match(/url\([^)]*\)|@import/g)).toEqual(['url("inter.woff2")']);
  });

  it('is light: page, styles and scripts together stay below 250 KB as they are sent', () => {
    const sizes = referencePaths
      .filter((path) => !path.endsWith('.woff2'))
      .map((path) => gzipSync(referenceFiles[path]({ baseUrl }).body, { level: 9 }).length);
    const total = sizes.reduce((sum, size) => sum + size);
    process.stdout.write(`The reference page: ${Math.round(total / 1000)} KB compressed, ${sizes.length} files.\n`);
    expect(total).toBeLessThan(250_000);
  });

  it('has every id once, and no link to an anchor that is not there', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('has a line for each field of a batch item, and marks what is required', () => {
    const [, operation = ''] = page.split('<article class="operation" id="createEvents"');
    const [fields = ''] = operation.split('</article>');
    for (const field of ['eventId', 'email', 'eventDate', 'eventProperties'])
      expect(fields).toContain(`<code>events[].${field}</code></`);
    expect(fields).toContain('<code>events[].eventName</code> <span class="mark">required</span>');
  });

  it('never skips a level of headings', () => {
    const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.reduce((before, level) => {
      expect(level - before).toBeLessThanOrEqual(1);
      return level;
    }, 0);
  });

  it('links to both OpenAPI documents, below the path of the service where it has one', () => {
    const below = renderReference({ baseUrl: 'https://example.com/rapport/' });
    for (const [html, root] of [
      [page, ''],
      [below, '/rapport'],
    ] as const) {
      expect(html).toContain(`href="${root}/openapi/v1.json"`);
      expect(html).toContain(`href="${root}/openapi/v2.json"`);
    }
    expect(below).toContain('https://example.com/rapport/v2/lists');
    expect(below).not.toContain('rapport//');
  });

  it('uses the administration token in the examples of administration, and only there', () => {
    for (const { routes: members } of groupByTag(routes)) {
      for (const { id, area } of members) {
        const [, from = ''] = page.split(`<article class="operation" id="${id}"`);
        expect(from.split('</article>')[0]?.includes('$ADMIN_TOKEN'), id).toBe(area === 'admin');
      }
    }
  });
});

describe('coloured code', () => {
  it('escapes whatever stands in it', () => {
    expect(highlightJson({ '<b>': '</code><script>&' })).not.toMatch(/<b>|<script|<\/code>|&(?!\w+;|#39;)/);
    expect(highlight("curl '<script>'", 'curl')).toBe(
      '<span class="key">curl</span> <span class="str">&#39;&lt;script&gt;&#39;</span>',
    );
  });

  it('paints programs without changing a letter of them', () => {
    const text = `const a = 'b "c"'; await d("e", -1.5, true) f"{x}" <&>`;
    for (const language of ['curl', 'typescript', 'python'] as const)
      expect(textOf(highlight(text, language))).toBe(text);
  });

  it('tells keys, strings, numbers and words apart', () => {
    const painted = highlightJson({ a: 'b: 1', n: -1.5, t: true });
    expect(painted).toContain('<span class="key">&quot;a&quot;</span>: <span class="str">&quot;b: 1&quot;</span>');
    expect(painted).toContain('<span class="num">-1.5</span>');
    expect(painted).toContain('<span class="lit">true</span>');
  });
});
