import { Group, Input, SegmentedControl } from '@mantine/core';
import { Definition } from '../../shared/figure.tsx';
import { t } from '../../texts/reports.ts';
import { type By, byOf } from './by.ts';

export function BySwitch({ by, onChange }: { by: By; onChange: (by: By) => void }) {
  return (
    <Input.Wrapper label={t.who} labelElement="div">
      <Group gap={4} h={36}>
        <SegmentedControl
          aria-label={t.who}
          size="sm"
          value={by}
          onChange={(value) => onChange(byOf(value))}
          data={[
            { value: 'people', label: t.people },
            { value: 'machines', label: t.machines },
          ]}
        />
        <Definition of={t.who} text={t.whoText} />
      </Group>
    </Input.Wrapper>
  );
}
