// The service accepts every filter in docs/audiences.md.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { appSubjects } from '../../../test/filters/subjects.js';
import { readFilter } from '../filter-language/read.js';
import { say } from '../filter-language/say.js';

const text = readFileSync(new URL('../../../../docs/audiences.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
const inline = [...text.matchAll(/`(\{"[^`]*\})`/g)].map(([, json = '']) => json);
const filters = [...inline, ...blocks.filter((block) => !block.includes('"nodes"'))];

describe('docs/audiences.md', () => {
  it('shows many filters', () => {
    expect(filters.length).toBeGreaterThan(35);
  });

  it.each(filters)('shows a filter that is read and said: %s', (json) => {
    expect(say(readFilter(JSON.parse(json), appSubjects))).toMatch(/\.$/);
  });
});
