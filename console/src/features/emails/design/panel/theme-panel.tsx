// The theme of an email: its colours, font and width.
import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import {
  type DesignColour,
  type DesignFont,
  type DesignTheme,
  designColours,
  designFonts,
  designLimits,
  usualColours,
} from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../../../api/session/rights.ts';
import { useApi } from '../../../../api/session/session.tsx';
import { ColorField } from '../../../../shared/form/color-field.tsx';
import { useAction } from '../../../../shared/form/use-action.ts';
import { t } from '../../../../texts/designs.ts';
import { setWorkspaceTheme, workspaceThemeQuery } from '../design-api.ts';
import { isSameJson } from '../model/same.ts';
import { Choice } from './choice.tsx';
import { NumberField, useUnfinished } from './number-field.tsx';

interface ThemePanelProps {
  theme: DesignTheme;
  onChange: (make: (theme: DesignTheme) => DesignTheme) => void;
}

const colour = /^#[0-9a-f]{6}$/i;
const { width, radius } = designLimits;
const fonts = Object.keys(designFonts).map((value) => ({ value, label: t.fonts[value] ?? value }));

/** Without what is undefined. */
function changed<Values extends object>(
  values: Values,
  changes: { [Key in keyof Values]?: Values[Key] | undefined },
): Values {
  const all = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Values;
}

export function ThemePanel({ theme, onChange }: ThemePanelProps) {
  const set = (changes: { [Key in keyof DesignTheme]?: DesignTheme[Key] | undefined }) =>
    onChange((old) => changed(old, changes));
  const own = typeof theme.dark === 'object' ? theme.dark : undefined;
  return (
    <Stack gap="sm">
      {designColours.map((name) => (
        <Colour
          key={name}
          label={t.colours[name]}
          value={theme[name]}
          usual={usualColours[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Select
        label={t.font}
        data={fonts}
        value={theme.font ?? 'sans'}
        allowDeselect={false}
        onChange={(font) => set({ font: font === 'sans' ? undefined : (font as DesignFont) })}
      />
      <NumberField
        label={t.widthPx}
        value={theme.width}
        usual={width.usual}
        least={width.least}
        most={width.most}
        onChange={(value) => set({ width: value })}
      />
      <NumberField
        label={t.radius}
        value={theme.radius}
        usual={radius.usual}
        least={radius.least}
        most={radius.most}
        onChange={(value) => set({ radius: value })}
      />
      <TextInput
        label={t.lang}
        placeholder="en"
        value={theme.lang ?? ''}
        onChange={({ currentTarget }) => set({ lang: currentTarget.value || undefined })}
      />
      <Choice
        label={t.dark}
        value={own ? 'own' : 'auto'}
        options={[
          { value: 'auto', label: t.darkAuto },
          { value: 'own', label: t.darkOwn },
        ]}
        onChange={(chosen) => set({ dark: chosen === 'own' ? {} : 'auto' })}
      />
      {own &&
        designColours.map((name: DesignColour) => (
          <Colour
            key={name}
            label={t.darkColour(t.colours[name])}
            value={own[name]}
            usual={theme[name] ?? usualColours[name]}
            onChange={(value) => set({ dark: changed(own, { [name]: value }) })}
          />
        ))}
      <WorkspaceTheme theme={theme} onUse={(own) => onChange(() => own)} />
    </Stack>
  );
}

interface WorkspaceThemeProps {
  theme: DesignTheme;
  onUse: (theme: DesignTheme) => void;
}

/** What new emails begin with: this theme, by an admin's choice. */
function WorkspaceTheme({ theme, onUse }: WorkspaceThemeProps) {
  const api = useApi();
  const { isAdmin } = useRights();
  const { data } = useQuery(workspaceThemeQuery(api));
  // The language is a matter of the email.
  const { lang: _, ...brand } = theme;
  const setting = useAction({
    act: () => setWorkspaceTheme(api, brand),
    said: t.themeIsDefault,
    refresh: ['workspace'],
  });
  const stored = data?.theme ?? null;
  const isDefault = data !== undefined && isSameJson(stored ?? {}, brand);
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        {isDefault ? t.isDefaultTheme : t.defaultThemeText}
      </Text>
      {isAdmin && data && !isDefault && (
        <Button variant="default" size="xs" loading={setting.isPending} onClick={() => setting.mutate()}>
          {t.makeDefaultTheme}
        </Button>
      )}
      {stored && !isDefault && (
        <Button
          variant="default"
          size="xs"
          onClick={() => onUse({ ...stored, ...(theme.lang ? { lang: theme.lang } : {}) })}
        >
          {t.useDefaultTheme}
        </Button>
      )}
    </Stack>
  );
}

interface ColourProps {
  label: string;
  value: string | undefined;
  usual: string;
  onChange: (value: string | undefined) => void;
}

function Colour({ label, value, usual, onChange }: ColourProps) {
  const { shown, keep } = useUnfinished(value ?? '');
  return (
    <ColorField
      label={label}
      usual={usual}
      value={shown}
      onChange={(text) => {
        keep(text);
        if (text === '') onChange(undefined);
        else if (colour.test(text)) onChange(text);
      }}
    />
  );
}
