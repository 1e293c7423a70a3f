// The fields of the form and what is sent: an empty field means the look that ships.
import type { BodyValue, DataValue, getWorkspaceBranding, setWorkspaceBranding } from '@rapport/contract';
import { branding as t } from '../../../texts/settings-branding.ts';

export type Branding = DataValue<typeof getWorkspaceBranding>;
export type BrandingFields = Record<keyof Branding, string>;

export const labels: Readonly<Record<keyof Branding, string>> = {
  name: t.name,
  logoUrl: t.logoUrl,
  accentColor: t.accentColor,
  backgroundColor: t.backgroundColor,
  darkAccentColor: t.darkAccentColor,
  darkBackgroundColor: t.darkBackgroundColor,
};
const names = Object.keys(labels) as (keyof Branding)[];

export function fieldsOf(branding: Branding): BrandingFields {
  return Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as BrandingFields;
}

export function bodyOf(fields: BrandingFields): BodyValue<typeof setWorkspaceBranding> {
  return Object.fromEntries(names.map((name) => [name, fields[name].trim() || null]));
}

export function faultsIn(fields: BrandingFields): { [Name in keyof Branding]?: string | undefined } {
  const isColor = (text: string) => text.trim() === '' || /^#[0-9a-f]{6}$/i.test(text.trim());
  const colors = names.filter((name) => name.endsWith('Color'));
  const logo = fields.logoUrl.trim();
  return {
    ...Object.fromEntries(colors.map((name) => [name, isColor(fields[name]) ? undefined : t.enterColor])),
    logoUrl: logo === '' || (/^https:\/\//i.test(logo) && URL.canParse(logo)) ? undefined : t.enterLogo,
  };
}
