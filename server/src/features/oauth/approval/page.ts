import { type Html, html, type Page } from '../../../http/page.js';
import { type Session, type Workspace, withNext } from '../../accounts/index.js';
import { type AskedAccess, inWords } from './asked.js';

interface ConsentShown {
  path: string;
  asked: AskedAccess;
  session: Session;
  workspaces: readonly Workspace[];
  /** The hidden field that shows that the form is ours. */
  form: string;
  bad?: string | undefined;
}

/** Which app asks, for what, in which workspace, and who is asked. */
export function consentPage({ path, asked, session, workspaces, form, bad }: ConsentShown): Page {
  const { app, scopes, formTarget } = asked;
  const roles = workspaces.map(({ role }) => role);
  const rights = inWords(scopes, roles);
  const cutShort = scopes.includes('WRITE') && roles.includes('viewer');
  return {
    title: `Connect ${app.name}?`,
    bad,
    formTargets: [formTarget],
    body: html`<p>You are signed in as <strong>${session.name}</strong> (${session.email}).
<a href="${withNext('/oauth/sign-in', path)}&amp;again=1">Not you?</a></p>
<p>An app that calls itself <strong>${app.name}</strong> wants to use Rapport on your behalf. ${origin(asked)}</p>
<h2>It will be able to</h2>
<ul class="rows">${rights.map(({ can, what }) => html`<li><strong>${can}</strong>: ${what}</li>`)}</ul>
<p>${app.stays ? html`It stays connected until you disconnect it under <a href="/oauth/apps">connected apps</a>, or until it is not used for 30 days.` : 'It stays connected for 15 minutes.'}${cutShort && ' Where you are a viewer, it can only read.'}</p>
<form method="post" action="${path}">
<input type="hidden" name="form" value="${form}">
${choice(workspaces, session.tenantId)}
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny" class="quiet">Deny</button>
</form>`,
  };
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
    }> ${name} (you are ${role === 'admin' ? 'an admin' : `a ${role}`})</label>\n`,
)}</fieldset>`;
}
