import { routes } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { mentions, spellingsOf } from './browser/words.js';

const titles = routes.map(({ id, tag, path, summary, description = '' }) =>
  `${id} ${tag} ${path} ${summary} ${description}`.toLowerCase(),
);
const found = (word: string) => titles.filter((title) => mentions(title, word)).length;

describe('the search of the reference', () => {
  it.each([
    'enrollments',
    'enrolments',
    'enroll',
    'organisations',
    'segment',
    'audience',
    'workflow',
    'attribute',
    'sso',
    'reports',
  ])('finds something for %j', (word) => {
    expect(found(word)).toBeGreaterThan(0);
  });

  it('finds the same by either spelling', () => {
    expect(found('enrollment')).toBe(found('enrolment'));
    expect(found('organisation')).toBe(found('organization'));
  });

  it('finds splits when a reader searches for A/B', () => {
    expect(spellingsOf('a/b')).toContain('split');
    expect(mentions('a split of two arms', 'a/b')).toBe(true);
  });

  it('uses short words as they are', () => {
    expect(spellingsOf('get')).toEqual(['get']);
    expect(mentions('address', 'address')).toBe(true);
  });
});
