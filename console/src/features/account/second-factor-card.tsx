import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SecondFactor } from '../../api/session/own-account.ts';
import { Card } from '../../shared/card.tsx';
import { FormBody } from '../../shared/form/form-body.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/account.ts';
import classes from './account.module.css';
import { CodesDialog } from './codes-dialog.tsx';
import { useChange } from './use-change.ts';
import { WithPassword } from './with-password.tsx';

interface FactorProps {
  factor: SecondFactor;
  hasPassword: boolean;
}

export function SecondFactorCard({ factor, hasPassword }: FactorProps) {
  const [codes, setCodes] = useState<string[]>();
  const { isOn, trial } = factor;
  return (
    <Card title={t.factor} actions={isOn && <ToneBadge tone="good">{t.factorOn}</ToneBadge>}>
      {isOn && <InForce left={factor.codesLeft} hasPassword={hasPassword} onCodes={setCodes} />}
      {!isOn && trial && <Trial trial={trial} onCodes={setCodes} />}
      {!isOn && !trial && <Offer />}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

function Offer() {
  const change = useChange();
  const adding = useAction({ act: () => change({ do: 'add-second-factor' }) });
  return (
    <Stack gap="sm" align="flex-start">
      <Text c="dimmed">{t.factorOff}</Text>
      <Button variant="default" loading={adding.isPending} onClick={() => adding.mutate()}>
        {t.addFactor}
      </Button>
    </Stack>
  );
}

interface TrialProps {
  trial: NonNullable<SecondFactor['trial']>;
  onCodes: (codes: string[]) => void;
}

function Trial({ trial: { secret, code }, onCodes }: TrialProps) {
  const change = useChange();
  const again = useAction({ act: () => change({ do: 'add-second-factor' }) });
  const form = useForm({
    draft: 'own-factor',
    initial: { code: '' },
    withoutSecrets: () => ({}),
    notKept: t.codeNotKept,
    labels: { code: t.code },
    check: (given) => ({ code: /^\d{6}$/.test(given.code.replace(/\s/g, '')) ? undefined : t.enterCode }),
    send: (given) => change({ do: 'confirm-second-factor', code: given.code }),
    onSent: ({ codes = [] }) => onCodes(codes),
  });
  return (
    <Stack gap="sm">
      <Text c="dimmed">{t.scan}</Text>
      <svg
        className={classes.code}
        viewBox={`0 0 ${code.size} ${code.size}`}
        role="img"
        aria-label={t.qr}
        shapeRendering="crispEdges"
      >
        <path d={code.path} />
      </svg>
      <Text>
        {t.key}: <span className={classes.key}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
      </Text>
      <div className={classes.form}>
        <FormBody form={form} submit={t.confirmCode}>
          <TextInput {...form.text('code')} inputMode="numeric" autoComplete="one-time-code" maxLength={8} required />
        </FormBody>
      </div>
      <Group>
        <Button variant="subtle" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          {t.newKey}
        </Button>
      </Group>
    </Stack>
  );
}

type Asked = 'renew-codes' | 'remove-second-factor';

function InForce(props: { left: number; hasPassword: boolean; onCodes: (codes: string[]) => void }) {
  const { left, hasPassword, onCodes } = props;
  const [asked, setAsked] = useState<Asked>();
  return (
    <Stack gap="sm">
      <Text c="dimmed">{t.codesLeft(left)}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsked('renew-codes')}>
          {t.newCodes}
        </Button>
        <Button variant="subtle" color="red" onClick={() => setAsked('remove-second-factor')}>
          {t.removeFactor}
        </Button>
      </Group>
      {asked && (
        <WithPassword
          {...(asked === 'renew-codes'
            ? { title: t.newCodes, text: t.newCodesText, submit: t.newCodes }
            : { title: t.removeFactorTitle, text: t.removeFactorText, submit: t.removeFactor, isDanger: true })}
          what={asked}
          hasPassword={hasPassword}
          onCodes={onCodes}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Stack>
  );
}
