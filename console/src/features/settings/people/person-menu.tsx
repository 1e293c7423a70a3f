import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { deactivatePerson, type Role, reactivatePerson, updatePerson } from '@rapport/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmAction } from '../../../shared/confirm-action.tsx';
import { roleNames, t as settings } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';
import { RowMenu } from '../row-menu.tsx';
import type { Person } from './person.ts';
import { RenamePersonDialog } from './rename-person-dialog.tsx';

const roles = Object.keys(roleNames) as Role[];

/** What an admin does with somebody. */
export function PersonMenu({ person }: { person: Person }) {
  const api = useApi();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<Person>();
  const [renaming, setRenaming] = useState(false);
  const params = { accountId: person.accountId };
  const change = useMutation({
    mutationFn: async ({ act }: { act: () => Promise<unknown>; said: string }) => act(),
    onSuccess: (_, { said }) => {
      void queries.invalidateQueries(about('people'));
      void queries.invalidateQueries(about('me'));
      notifications.show({ message: said });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  const makeRole = (role: Role) =>
    change.mutate({
      act: () => api.call(updatePerson, { params, body: { role } }),
      said: t.roleChanged(person.name, roleNames[role].toLowerCase()),
    });
  return (
    <>
      <RowMenu label={settings.actions(person.name)}>
        {roles
          .filter((role) => role !== person.role)
          .map((role) => (
            <Menu.Item key={role} onClick={() => makeRole(role)}>
              {t.makeRole(roleNames[role].toLowerCase())}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => setRenaming(true)}>{t.rename}</Menu.Item>
        {person.state === 'active' ? (
          <Menu.Item c="var(--bad)" onClick={() => setLeaving(person)}>
            {t.deactivate}
          </Menu.Item>
        ) : (
          <Menu.Item
            onClick={() =>
              change.mutate({ act: () => api.call(reactivatePerson, { params }), said: t.reactivatedNow(person.name) })
            }
          >
            {t.reactivate}
          </Menu.Item>
        )}
      </RowMenu>
      <RenamePersonDialog person={person} opened={renaming} onClose={() => setRenaming(false)} />
      <ConfirmAction
        subject={leaving}
        title={({ name }) => t.deactivateTitle(name)}
        text={() => t.deactivateText}
        confirm={t.deactivate}
        act={() => api.call(deactivatePerson, { params })}
        onDone={({ name }) => {
          void queries.invalidateQueries(about('people'));
          notifications.show({ message: t.deactivatedNow(name) });
        }}
        onClose={() => setLeaving(undefined)}
      />
    </>
  );
}
