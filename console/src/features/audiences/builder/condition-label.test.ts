import { expect, it } from 'vitest';
import { labelOf } from './condition-label.ts';

it('says that the members of an organization include the contact', () => {
  const label = labelOf({ orgMembers: { where: { event: 'signed_in' }, atLeast: 3 } });
  expect(Object.values(label ?? {}).join(' ')).toBe('Organization members, including the contact');
});
