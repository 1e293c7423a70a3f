import type { BodyValue, DesignTheme, setWorkspaceBranding } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { invalid } from '../../../http/api-error.js';
import { type Actor, recordAudit } from '../../audit/index.js';
import { type Branding, findBranding, updateBranding, updateEmailTheme } from './queries.js';

const unset: Branding = {
  ...{ name: null, logoUrl: null, accentColor: null, backgroundColor: null },
  ...{ darkAccentColor: null, darkBackgroundColor: null },
};

export async function getBranding(db: Runner, tenantId: number): Promise<Branding> {
  return { ...unset, ...(await findBranding(db, tenantId)) };
}

/** What was sent, as it is stored: colors in lower case, what is left out as null. */
export function readBranding(body: BodyValue<typeof setWorkspaceBranding>): Branding {
  const logoUrl = body.logoUrl ?? null;
  if (logoUrl !== null && !isHttps(logoUrl)) throw invalid('logoUrl', 'must be an https address without a password');
  const color = (text: string | null | undefined) => text?.toLowerCase() ?? null;
  return {
    name: body.name ?? null,
    logoUrl: logoUrl === null ? null : new URL(logoUrl).href,
    accentColor: color(body.accentColor),
    backgroundColor: color(body.backgroundColor),
    darkAccentColor: color(body.darkAccentColor),
    darkBackgroundColor: color(body.darkBackgroundColor),
  };
}

export async function setBranding(tx: Transaction, actor: Actor, branding: Branding): Promise<Branding> {
  const isUnset = Object.values(branding).every((value) => value === null);
  await updateBranding(tx, actor.tenantId, isUnset ? null : branding);
  await recordAudit(tx, actor, 'workspace.changed', null, { branding });
  return branding;
}

/** An empty theme says nothing: it is none. */
export async function setEmailTheme(
  tx: Transaction,
  actor: Actor,
  given: DesignTheme | null,
): Promise<DesignTheme | null> {
  const theme = given && Object.keys(given).length > 0 ? given : null;
  await updateEmailTheme(tx, actor.tenantId, theme);
  await recordAudit(tx, actor, 'workspace.changed', null, { emailTheme: theme });
  return theme;
}

function isHttps(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
