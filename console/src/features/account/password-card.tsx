import { PasswordInput, Text } from '@mantine/core';
import type { OwnAccount } from '../../api/session/own-account.ts';
import { Card } from '../../shared/card.tsx';
import { FormBody } from '../../shared/form/form-body.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { t } from '../../texts/account.ts';
import { t as signIn } from '../../texts/sign-in.ts';
import classes from './account.module.css';
import { useChange } from './use-change.ts';

const leastLength = 12;
const eye = { 'aria-label': signIn.showPassword };

export function PasswordCard({ account: { email, hasPassword, asksPassword } }: { account: OwnAccount }) {
  const change = useChange();
  const form = useForm({
    draft: 'own-password',
    initial: { current: '', password: '' },
    withoutSecrets: () => ({}),
    notKept: t.passwordNotKept,
    labels: { current: t.currentPassword, password: t.newPassword },
    check: ({ current, password }) => ({
      current: asksPassword && current === '' ? t.enterCurrent : undefined,
      password: password.length < leastLength ? t.tooShort : undefined,
    }),
    send: ({ current, password }) => change({ do: 'password', password, ...(asksPassword && { current }) }),
    said: ({ good = '' }) => good,
  });
  return (
    <Card title={t.password}>
      <div className={classes.form}>
        <FormBody form={form} submit={hasPassword ? t.changePassword : t.setPassword}>
          {hasPassword && <Text c="dimmed">{t.passwordNote}</Text>}
          {/* For password managers: whose it is. */}
          <input type="email" value={email} autoComplete="username" readOnly hidden />
          {asksPassword && (
            <PasswordInput
              {...form.text('current')}
              autoComplete="current-password"
              maxLength={256}
              visibilityToggleButtonProps={eye}
              required
            />
          )}
          <PasswordInput
            {...form.text('password')}
            description={t.passwordHint}
            autoComplete="new-password"
            maxLength={256}
            visibilityToggleButtonProps={eye}
            required
          />
        </FormBody>
      </div>
    </Card>
  );
}
