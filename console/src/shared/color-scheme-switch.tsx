import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/shell.ts';
import classes from './color-scheme-switch.module.css';
import { MoonIcon, ScreenIcon, SunIcon } from './icons.tsx';

export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={t.colours}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
      data={[
        { value: 'auto', label: <Choice label={t.asSystem} icon={<ScreenIcon />} /> },
        { value: 'light', label: <Choice label={t.light} icon={<SunIcon />} /> },
        { value: 'dark', label: <Choice label={t.dark} icon={<MoonIcon />} /> },
      ]}
    />
  );
}

function Choice({ label, icon }: { label: string; icon: ReactNode }) {
  return (
    <span className={classes.choice} title={label}>
      {icon}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}
