import { Input, SegmentedControl } from '@mantine/core';

interface ChoiceProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl aria-label={label} fullWidth value={value} data={options} onChange={onChange} />
    </Input.Wrapper>
  );
}
