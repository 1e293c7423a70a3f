import { buildOpenApi, errorCatalogue, pathsOf, routes } from '@rapport/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { highlightJson, highlightShell } from './highlight.js';
import { referenceCsp, referenceFiles, renderReference } from './index.js';
import { groupByTag } from './layout.js';

const baseUrl = 'http://127.0.0.1:8080';
const page = renderReference({ baseUrl });
/** What a reader sees: no tags, no entities. */
const text = page
  .replace(/<[^>]*>/g, '')
  .replaceAll('&quot;', '"')
  .replaceAll('&#39;', "'")
  .replaceAll('&lt;', '<')
  .replaceAll('&gt;', '>')
  .replaceAll('&amp;', '&');

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

  it('runs no script and carries no style of its own, as its policy demands', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
    expect(referenceCsp).toContain("default-src 'none'; style-src 'self'");
  });

  it('loads nothing from elsewhere', () => {
    const { '/docs/reference.css': css } = referenceFiles({ baseUrl });
    expect(page.match(/<(link|img|iframe|object)\b[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/docs/reference.css">',
    ]);
    expect(css.body).not.toMatch(/url\(|@import/);
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
    expect(highlightShell("curl '<script>'")).toBe(
      '<span class="key">curl</span> <span class="str">&#39;&lt;script&gt;&#39;</span>',
    );
  });

  it('tells keys, strings, numbers and words apart', () => {
    const painted = highlightJson({ a: 'b: 1', n: -1.5, t: true });
    expect(painted).toContain('<span class="key">&quot;a&quot;</span>: <span class="str">&quot;b: 1&quot;</span>');
    expect(painted).toContain('<span class="num">-1.5</span>');
    expect(painted).toContain('<span class="lit">true</span>');
  });
});
