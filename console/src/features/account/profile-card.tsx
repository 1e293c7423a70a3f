import { TextInput } from '@mantine/core';
import type { OwnAccount } from '../../api/session/own-account.ts';
import { Card } from '../../shared/card.tsx';
import { wanted } from '../../shared/form/faults.ts';
import { FormBody } from '../../shared/form/form-body.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/account.ts';
import classes from './account.module.css';
import { useChange } from './use-change.ts';

export function ProfileCard({ account }: { account: OwnAccount }) {
  const change = useChange();
  const form = useForm({
    draft: 'own-name',
    initial: { name: account.name },
    labels: { name: t.name },
    check: ({ name }) => ({ name: wanted(name, t.enterName) }),
    send: ({ name }) => change({ do: 'name', name: name.trim() }),
    refresh: ['me', 'people'],
    said: ({ good = '' }) => good,
  });
  const isDirty = form.values.name.trim() !== account.name;
  return (
    <Card title={t.profile}>
      <div className={classes.form}>
        <FormBody
          form={{ ...form, isRestored: form.isRestored && isDirty }}
          submit={t.changeName}
          isDisabled={!isDirty}
        >
          <TextInput label={t.email} value={account.email} readOnly />
          <TextInput {...form.text('name')} required maxLength={255} autoComplete="name" />
        </FormBody>
      </div>
    </Card>
  );
}
