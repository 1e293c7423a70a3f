import { SegmentedControl } from '@mantine/core';
import classes from './panel.module.css';

interface ChoiceProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <SegmentedControl aria-label={label} fullWidth value={value} data={options} onChange={onChange} />
    </div>
  );
}
