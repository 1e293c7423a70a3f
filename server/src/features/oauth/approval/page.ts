import type { Role } from '@rapport/contract';
import { type Html, html, type Page } from '../../../http/page.js';
import { type Session, type Workspace, withNext } from '../../accounts/index.js';
import { type AskedAccess, agentWords, inWords, withinRole } from './asked.js';

interface ConsentShown {
  path: string;
  asked: AskedAccess;
  session: Session;
  workspaces: readonly Workspace[];
  /** The hidden field that shows that the form is ours. */
  form: string;
  bad?: string | undefined;
  /** What the app is allowed to do already. */
  held: readonly string[];
}

/** Which app asks, for what, in which workspace, and who is asked. */
export function consentPage({ path, asked, session, workspaces, form, bad, held }: ConsentShown): Page {
  const { app, scopes, formTarget } = asked;
  const roles = workspaces.map(({ role }) => role);
  const rights = inWords(scopes, roles);
  const cutShort = roles.includes('viewer') && scopes.some((scope) => withinRole([scope], 'viewer').length === 0);
  return {
    title: `Connect ${app.name}?`,
    bad,
    formTargets: [formTarget],
    body: html`<p>You are signed in as <strong>${session.name}</strong> (${session.email}).
<a href="${withNext('/oauth/sign-in', path)}&amp;again=1">Not you?</a></p>
<p>An app that calls itself <strong>${app.name}</strong> wants to use Rapport on your behalf. ${origin(asked)}</p>
${
  rights.length > 0 &&
  html`<h2>It will be able to</h2>
<ul class="rows">${rights.map(({ can, what }) => html`<li><strong>${can}</strong>: ${what}</li>`)}</ul>`
}
<p>${app.stays ? html`It stays connected until you disconnect it under <a href="/oauth/apps">connected apps</a>, or until it goes unused for 30 days.` : 'It stays connected for 15 minutes.'}${cutShort && ' Where you are a viewer, it can only read.'}</p>
<form method="post" action="${path}">
<input type="hidden" name="form" value="${form}">
${agentChoice(asked, roles, held)}
${choice(workspaces, session.tenantId)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny" class="quiet">Deny</button>
</form>`,
  };
}

/** Each scope of an agent is for the person to tick. At first only reading is. */
function agentChoice({ agentScopes }: AskedAccess, roles: readonly Role[], held: readonly string[]): Html | false {
  const offered = agentScopes.filter((scope) => roles.some((role) => withinRole([scope], role).length > 0));
  if (offered.length === 0) return false;
  return html`<fieldset><legend>What may it do?</legend>
${offered.map((scope) => {
  const { can, what } = agentWords[scope];
  const isTicked = scope === 'read' || held.includes(scope);
  return html`<label class="choice"><input type="checkbox" name="may-${scope}" value="1"${isTicked && html` checked`}> <span><strong>${can}</strong> (${scope}): ${what}</span></label>\n`;
})}</fieldset>`;
}

function origin({ app: { backTo, vouchedBy } }: AskedAccess): Html {
  return vouchedBy === undefined
    ? html`It sends you back to <strong>${backTo}</strong>. No one has checked who made it: continue only if you came from there.`
    : html`It is published by <strong>${vouchedBy}</strong>, and sends you back to <strong>${backTo}</strong>.`;
}

function choice(workspaces: readonly Workspace[], current: number | null): Html {
  const [only] = workspaces;
  if (workspaces.length === 1 && only)
    return html`<p>In the workspace <strong>${only.name}</strong>.</p>
<input type="hidden" name="workspace" value="${only.tenantId}">`;
  const chosen = workspaces.some(({ tenantId }) => tenantId === current) ? current : only?.tenantId;
  return html`<fieldset><legend>In which workspace?</legend>
${workspaces.map(
  ({ tenantId, name, role }) =>
    html`<label class="choice"><input type="radio" name="workspace" value="${tenantId}"${
      tenantId === chosen && html` checked`
    }> <span>${name} (you are ${role === 'admin' ? 'an admin' : `a ${role}`})</span></label>\n`,
)}</fieldset>`;
}
