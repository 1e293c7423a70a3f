import { whyFactCodes } from '@rapport/contract';
import { expect, it } from 'vitest';
import { remedyOf } from './remedies.ts';

it.each(whyFactCodes)('knows what to do about %s', (code) => {
  const { label, to } = remedyOf(
    { code, journeyId: 'j1', dynamicListId: 'l1', staticListId: 's1', emailId: 'e1' },
    'c1',
  );
  expect(label).toMatch(/^[A-Z]/);
  expect(to ?? '/').toMatch(/^\//);
  expect(to ?? '').not.toContain('undefined');
});

it('opens the very condition that failed, for that contact', () => {
  const { to = '' } = remedyOf({ code: 'conditionFails', dynamicListId: 'l1', path: 'filter.all[1].any[0]' }, 'c1');
  const url = new URL(to, 'http://x');
  expect(url.pathname).toBe('/lists/dynamic/l1/filter');
  expect(Object.fromEntries(url.searchParams)).toEqual({ contact: 'c1', condition: 'filter.all[1].any[0]' });
});

it('names the domain whose records are to be published', () => {
  expect(remedyOf({ code: 'senderNotVerified', domain: 'example.com' }, 'c1')).toMatchObject({
    label: expect.stringContaining('example.com'),
    isForAdmins: true,
  });
});
