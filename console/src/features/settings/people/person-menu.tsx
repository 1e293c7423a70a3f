import { Menu } from '@mantine/core';
import { deactivatePerson, type Role, reactivatePerson, updatePerson } from '@rapport/contract';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { NameDialog } from '../../../shared/form/name-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import { roleNames, t as settings } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';
import type { Person } from './person.ts';

const roles = Object.keys(roleNames) as Role[];

/** What an admin can do with a person. */
export function PersonMenu({ person: { accountId, name, role, state } }: { person: Person }) {
  const api = useApi();
  const [open, setOpen] = useState<'rename' | 'deactivate'>();
  const close = () => setOpen(undefined);
  const params = { accountId };
  const changeRole = useAction({
    act: (next: Role) => api.call(updatePerson, { params, body: { role: next } }),
    refresh: ['people', 'me'],
    said: (_, next) => t.roleChanged(name, roleNames[next].toLowerCase()),
  });
  const reactivate = useAction({
    act: () => api.call(reactivatePerson, { params }),
    refresh: ['people', 'me'],
    said: t.reactivatedNow(name),
  });
  return (
    <>
      <MoreMenu label={settings.actions(name)}>
        {roles
          .filter((each) => each !== role)
          .map((each) => (
            <Menu.Item key={each} onClick={() => changeRole.mutate(each)}>
              {t.makeRole(roleNames[each].toLowerCase())}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => setOpen('rename')}>{t.rename}</Menu.Item>
        {state === 'active' ? (
          <Menu.Item c="var(--bad)" onClick={() => setOpen('deactivate')}>
            {t.deactivate}
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => reactivate.mutate()}>{t.reactivate}</Menu.Item>
        )}
      </MoreMenu>
      {open === 'rename' && (
        <NameDialog
          of={`person:${accountId}`}
          title={t.renameTitle(name)}
          name={name}
          onSave={(next) => api.call(updatePerson, { params, body: { name: next } })}
          refresh={['people', 'me']}
          said={t.renamed}
          onClose={close}
        />
      )}
      {open === 'deactivate' && (
        <ConfirmDialog
          title={t.deactivateTitle(name)}
          text={t.deactivateText}
          confirm={t.deactivate}
          act={() => api.call(deactivatePerson, { params })}
          refresh={['people']}
          said={t.deactivatedNow(name)}
          onClose={close}
        />
      )}
    </>
  );
}
