// How the public pages of a workspace look (unsubscribing, preferences, forms and confirmations), and what its emails begin with.
import { Type } from 'typebox';
import { GivenTheme, StoredTheme } from './designs.js';
import { onlyV2, route } from './route.js';
import { Named, Nullable, Text } from './schema.js';

const color = (description: string) =>
  Type.Optional(
    Nullable(
      Type.String({
        ...{ pattern: '^#[0-9a-fA-F]{6}$', form: 'must be a color such as #2148b8' },
        description,
      }),
    ),
  );
const look = {
  name: Type.Optional(Nullable(Text(80, { description: 'Shown on top, and read out for the logo.' }))),
  logoUrl: Type.Optional(Nullable(Text(2000, { description: 'An https address. Shown on top, instead of the name.' }))),
  accentColor: color('The color of buttons. Their text is black or white, whichever has more contrast.'),
  backgroundColor: color('Around the card.'),
  darkAccentColor: color('Of buttons on dark screens; `accentColor` by default.'),
  darkBackgroundColor: color('Around the card on dark screens.'),
};
const shown = (schema: string) => Nullable(Type.String(), schema);

export const Branding = Named('Branding', {
  name: shown('Shown on top, and read out for the logo.'),
  logoUrl: shown('Shown on top, instead of the name.'),
  accentColor: shown('Of buttons.'),
  backgroundColor: shown('Around the card.'),
  darkAccentColor: shown('Of buttons on dark screens; null: `accentColor`.'),
  darkBackgroundColor: shown('Around the card on dark screens.'),
});

const tag = 'Workspace';
const path = '/workspace/branding';
const example = {
  ...{ name: 'Acme', logoUrl: 'https://example.com/logo.png', accentColor: '#0b6b4f', backgroundColor: '#eef5f2' },
  ...{ darkAccentColor: '#7fd6b8', darkBackgroundColor: null },
};

export const getWorkspaceBranding = route({
  id: 'getWorkspaceBranding',
  tag,
  method: 'GET',
  path,
  versions: onlyV2,
  summary: 'Read how public pages look',
  description: 'The pages on which people unsubscribe, choose topics, fill in forms and confirm. Null: the default.',
  data: Branding,
  paged: false,
  errors: [],
  example: { data: example },
});

export const setWorkspaceBranding = route({
  id: 'setWorkspaceBranding',
  tag,
  method: 'PUT',
  path,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Change how public pages look',
  description: 'Replaces all of it: what is left out gets its default. Takes effect at once.',
  body: Named('BrandingInput', look),
  data: Branding,
  paged: false,
  errors: [],
  example: { body: { ...example, darkBackgroundColor: undefined }, data: example },
});

export const previewWorkspaceBranding = route({
  id: 'previewWorkspaceBranding',
  tag,
  method: 'POST',
  path: `${path}/preview`,
  versions: onlyV2,
  adminOnly: true,
  summary: 'See how public pages would look',
  description: 'The preference page with two topics, as HTML. Nothing is stored.',
  body: Named('BrandingPreviewInput', look),
  data: Named('BrandingPreview', {
    light: Type.String({ description: 'On light screens.' }),
    dark: Type.String({ description: 'On dark screens.' }),
  }),
  paged: false,
  errors: [],
  example: { body: { accentColor: '#0b6b4f' }, data: { light: '<!doctype html>…', dark: '<!doctype html>…' } },
});

const EmailTheme = Named('WorkspaceEmailTheme', { theme: StoredTheme });
const exampleTheme = { theme: { button: '#0b6b4f', link: '#0b6b4f', font: 'Georgia', radius: 4 } };

export const getWorkspaceEmailTheme = route({
  id: 'getWorkspaceEmailTheme',
  tag,
  method: 'GET',
  path: '/workspace/email-theme',
  versions: onlyV2,
  summary: 'Read the theme that new emails begin with',
  description: 'A theme as a design has it: see docs/designs.md. Null: none.',
  data: EmailTheme,
  paged: false,
  errors: [],
  example: { data: exampleTheme },
});

export const setWorkspaceEmailTheme = route({
  id: 'setWorkspaceEmailTheme',
  tag,
  method: 'PUT',
  path: '/workspace/email-theme',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Change the theme that new emails begin with',
  description:
    'Replaces all of it; null removes it, as does leaving it out. The console puts it into the design of each new email. Emails that exist stay as they are, and so do designs that programs send.',
  body: Named('WorkspaceEmailThemeInput', { theme: Type.Optional(GivenTheme) }),
  data: EmailTheme,
  paged: false,
  errors: [],
  example: { body: exampleTheme, data: exampleTheme },
});

export const brandingRoutes = [
  getWorkspaceBranding,
  setWorkspaceBranding,
  previewWorkspaceBranding,
  getWorkspaceEmailTheme,
  setWorkspaceEmailTheme,
] as const;
