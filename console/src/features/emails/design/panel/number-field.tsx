import { NumberInput } from '@mantine/core';
import { useState } from 'react';

/** What is typed stays to be seen while it is not yet a value, such as the 6 of 600. */
export function useUnfinished<Value>(value: Value) {
  const [unfinished, setUnfinished] = useState<{ typed: Value; over: Value }>();
  const isOpen = unfinished !== undefined && unfinished.over === value;
  return { shown: isOpen ? unfinished.typed : value, keep: (typed: Value) => setUnfinished({ typed, over: value }) };
}

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  usual?: number | undefined;
  least: number;
  most: number;
  step?: number;
  isWhole?: boolean;
  /** Undefined: left open. */
  onChange: (value: number | undefined) => void;
}

export function NumberField({
  label,
  value,
  usual,
  least,
  most,
  step = 1,
  isWhole = true,
  onChange,
}: NumberFieldProps) {
  const { shown, keep } = useUnfinished<number | string>(value ?? '');
  return (
    <NumberInput
      label={label}
      placeholder={usual === undefined ? '' : String(usual)}
      value={shown}
      min={least}
      max={most}
      step={step}
      allowDecimal={!isWhole}
      onChange={(typed) => {
        keep(typed);
        if (typed === '') onChange(undefined);
        else if (typeof typed === 'number' && typed >= least && typed <= most) onChange(typed);
      }}
    />
  );
}
