import { expect, it } from 'vitest';
import { pages } from '../../pages.ts';
import { actionsFor } from './actions.tsx';

const signOut = () => undefined;
const ids = (may: { canWrite: boolean; isAdmin: boolean; isPerson: boolean }) =>
  actionsFor({ ...may, signOut }).map(({ id }) => id.replace('action-', ''));

it('offers a viewer nothing that changes anything', () => {
  expect(ids({ canWrite: false, isAdmin: false, isPerson: true })).toEqual([
    'account',
    'reference',
    'shortcuts',
    'signOut',
  ]);
});

it('offers what concerns the workspace only to admins, whose token may write', () => {
  const ofAdmins = ['invite', 'addDomain', 'addSso'];
  const [admin, member, reader] = [
    ids({ canWrite: true, isAdmin: true, isPerson: true }),
    ids({ canWrite: true, isAdmin: false, isPerson: true }),
    ids({ canWrite: false, isAdmin: true, isPerson: true }),
  ];
  expect(admin.filter((id) => !member.includes(id))).toEqual(ofAdmins);
  expect(ofAdmins.filter((id) => reader.includes(id))).toEqual([]);
});

it('offers no account to a token, which belongs to no person', () => {
  expect(ids({ canWrite: true, isAdmin: true, isPerson: false })).not.toContain('account');
});

it('leads only to pages that are there', () => {
  const known = new Set(pages.map(({ path }) => path.replace(/\/:\w+\?$/, '')));
  for (const { to, id } of actionsFor({ canWrite: true, isAdmin: true, isPerson: true, signOut }))
    if (to) expect(known.has(to) || known.has(to.replace(/\/\w+$/, '')), id).toBe(true);
});
