// Email and password: submitted as a form of the service, which asks for a second factor or a workspace if that is needed and leads back here.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../api/session/session.tsx';
import { Fault } from '../../shared/form/dialog-buttons.tsx';
import { t } from '../../texts/sign-in.ts';

interface Faults {
  email?: string;
  password?: string;
  form?: string;
}

export function EmailForm() {
  const { look } = useSession();
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const wrong = faultsOf(new FormData(form));
    setFaults(wrong);
    if (isBusy || wrong.email || wrong.password) return;
    setBusy(true);
    try {
      // Fetched now: the one of a page that was open for a day would be refused.
      const field = form.elements.namedItem('form') as HTMLInputElement;
      field.value = (await look()).form;
      form.submit();
    } catch {
      setBusy(false);
      setFaults({ form: t.noAnswer });
    }
  };
  return (
    <form method="post" action="/oauth/sign-in" onSubmit={(event) => void submit(event)} noValidate>
      <input type="hidden" name="form" />
      <input type="hidden" name="next" value={location.pathname + location.search} />
      <Stack gap="md">
        <TextInput
          label={t.email}
          name="email"
          type="email"
          size="md"
          autoComplete="username"
          maxLength={254}
          error={faults.email}
        />
        <PasswordInput
          label={t.password}
          name="password"
          size="md"
          autoComplete="current-password"
          maxLength={256}
          error={faults.password}
          visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
        />
        <Fault text={faults.form} />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t.signIn}
        </Button>
      </Stack>
    </form>
  );
}

function faultsOf(given: FormData): Faults {
  return {
    ...(String(given.get('email')).trim() === '' && { email: t.enterEmail }),
    ...(given.get('password') === '' && { password: t.enterPassword }),
  };
}
