// Now, later, or at each person's local time.
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { instantText, localText } from '../../shared/local-time.ts';
import { clockMoment } from '../../shared/relative-time.ts';
import { t } from '../../texts/sends.ts';
import type { When } from './send-api.ts';

interface WhenFieldProps {
  when: When;
  onChange: (when: When) => void;
  isReadOnly: boolean;
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When it leaves, as it is said in a sentence. */
export const sayWhen = ({ kind, at = '' }: When): string =>
  kind === 'localTime' ? t.timeOfEach(clockMoment(at)) : t.timeInZone(clockMoment(at), ownZone());

/** What is typed is kept by the caller: an empty `at` is a time that is still to be chosen. */
export function WhenField({ when: { kind, at = '' }, onChange, isReadOnly }: WhenFieldProps) {
  const hints = { at: t.atHint(ownZone()), localTime: t.localHint };
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t.when}
        data={Object.entries(t.times).map(([value, label]) => ({ value, label }))}
        value={kind}
        readOnly={isReadOnly}
        onChange={(next) => onChange(next === 'now' ? { kind: 'now' } : { kind: next as When['kind'], at: '' })}
      />
      {kind === 'now' ? (
        <Text c="dimmed">{t.nowText}</Text>
      ) : (
        <TextInput
          type="datetime-local"
          label={t.at}
          description={hints[kind]}
          value={kind === 'at' ? localText(at) : at}
          readOnly={isReadOnly}
          required
          onChange={({ currentTarget: { value } }) =>
            onChange({ kind, at: kind === 'at' ? instantText(value) : value })
          }
        />
      )}
    </Stack>
  );
}
