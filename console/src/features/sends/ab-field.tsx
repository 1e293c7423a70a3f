// Whether a second email is tried on a part of the list before the rest gets the better one.
import { Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../texts/numbers.ts';
import { t } from '../../texts/sends.ts';
import { EmailPicker } from './pickers.tsx';
import type { AbTest, Send, When } from './send-api.ts';

interface AbFieldProps {
  send: Pick<Send, 'emailId' | 'abTest'>;
  /** As chosen, which may not be saved yet. */
  when: When;
  isReadOnly: boolean;
  onChange: (test: AbTest | null) => void;
}

const percents = [10, 20, 30, 50, 100];
const hours = [1, 2, 4, 8, 24, 48, 72, 168];

/** A test without a second email is not saved. */
export function AbField({ send: { emailId, abTest }, when, isReadOnly, onChange }: AbFieldProps) {
  const [isOn, setOn] = useState(abTest !== null);
  const [test, setTest] = useState({
    ...{ emailId: abTest?.emailId ?? null, percent: abTest?.percent ?? 20, hours: abTest?.hours ?? 4 },
  });
  if (!isOn && when.kind === 'localTime') return <Text c="dimmed">{t.abNotLocal}</Text>;
  const isSame = test.emailId !== null && test.emailId === emailId;
  const turn = (next: boolean) => {
    setOn(next);
    if (!next && abTest) onChange(null);
    if (next && test.emailId && !isSame) onChange({ ...test, emailId: test.emailId });
  };
  const change = (changes: Partial<AbTest>) => {
    const next = { ...test, ...changes };
    setTest(next);
    if (next.emailId && next.emailId !== emailId) onChange({ ...next, emailId: next.emailId });
  };
  return (
    <Stack gap="md">
      <Switch
        label={t.abSwitch}
        description={t.abAbout}
        checked={isOn}
        disabled={isReadOnly}
        onChange={({ currentTarget: { checked } }) => turn(checked)}
      />
      {isOn && (
        <>
          <EmailPicker
            label={t.abOther}
            value={test.emailId}
            isReadOnly={isReadOnly}
            error={isSame ? t.abSame : undefined}
            onChange={(next) => change({ emailId: next })}
          />
          <Group grow>
            <NumberChoice
              label={t.abPercent}
              value={test.percent}
              from={percents}
              say={(percent) => `${percent}%`}
              isReadOnly={isReadOnly}
              onChange={(percent) => change({ percent })}
            />
            <NumberChoice
              label={t.abHours}
              value={test.hours}
              from={hours}
              say={(count) => counted(count, 'hour')}
              isReadOnly={isReadOnly}
              onChange={(count) => change({ hours: count })}
            />
          </Group>
          <Text c="dimmed">{t.abSays(test.percent, test.hours)}</Text>
        </>
      )}
    </Stack>
  );
}

interface NumberChoiceProps {
  label: string;
  value: number;
  from: readonly number[];
  say: (value: number) => string;
  isReadOnly: boolean;
  onChange: (value: number) => void;
}

/** The API takes any: what was chosen there can be kept. */
function NumberChoice({ label, value, from, say, isReadOnly, onChange }: NumberChoiceProps) {
  const choices = [...new Set([...from, value])].sort((a, b) => a - b);
  return (
    <Select
      label={label}
      data={choices.map((each) => ({ value: String(each), label: say(each) }))}
      value={String(value)}
      readOnly={isReadOnly}
      allowDeselect={false}
      onChange={(next) => next && onChange(Number(next))}
    />
  );
}
