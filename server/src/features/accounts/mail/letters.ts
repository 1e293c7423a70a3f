// What account mail says, in plain words. The link is on a line of its own, so that no program breaks it.
import type { Role } from '@rapport/contract';
import { html } from '../../../http/page.js';

export interface Letter {
  subject: string;
  before: string[];
  /** What the link does. */
  action: string;
  link: string;
  /** Numbers, each with its name and how it changed, before the link. */
  figures?: { name: string; value: string; note: string }[];
  after: string[];
  /** At the very end: a link that ends such mail. */
  stop?: { action: string; link: string };
  /** The link and so the mail are useless after this. */
  usefulUntil: string;
}

/**
 * Names are chosen by people, in a mail that bears our name: they must not start a new line, and must not contain anything that mail
 * programs turn into a link. So `evil.example` is written with a space after the dot.
 */
export const harmless = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/:(?=[^\s:])\/*/g, ': ')
    .replace(/[.\u2024\u3002\uff0e\uff61](?=[^\s.])/g, '. ')
    .replace(/\s*[@\ufe6b\uff20]\s*/g, ' at ')
    .trim();

/** What a role may do, as the end of a sentence. */
export const roleWords: Readonly<Record<Role, string>> = {
  admin: 'an admin, with full access',
  member: 'a member, with access to everything except workspace settings',
  viewer: 'a viewer, with read-only access',
};

export interface InvitationWords {
  workspace: string;
  /** Null: an operator. */
  inviter: string | null;
  role: Role;
  link: string;
  expiresAt: string;
}

export function invitationLetter({ workspace, inviter, role, link, expiresAt }: InvitationWords): Letter {
  const place = harmless(workspace);
  const who = inviter === null ? 'You are invited' : `${harmless(inviter)} invites you`;
  return {
    subject: `Join ${place} on Rapport`,
    before: [`${who} to the workspace ${place} on Rapport, as ${roleWords[role]}.`],
    action: 'Join the workspace',
    link,
    after: [
      `The link works once, until ${dayOf(expiresAt)}.`,
      'If you weren’t expecting this, ignore this email: no one can join without the link.',
    ],
    usefulUntil: expiresAt,
  };
}

export function resetLetter(link: string, expiresAt: string): Letter {
  return {
    subject: 'Set a new password for Rapport',
    before: ['Someone, most likely you, asked to reset your Rapport password.'],
    action: 'Set a new password',
    link,
    after: ['The link works once, for one hour.', 'If it wasn’t you, ignore this email: your password stays the same.'],
    usefulUntil: expiresAt,
  };
}

/** `23 November 2026`, in UTC. */
function dayOf(instant: string): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `${date.format(Date.parse(instant))} (UTC)`;
}

export function textOf({ before, figures = [], link, after, stop }: Letter): string {
  const lines = figures.map(({ name, value, note }) => `${name}: ${value}${note && ` (${note})`}`).join('\n');
  const end = stop ? [`${stop.action}:\n${stop.link}`] : [];
  return `${[...before, ...(lines ? [lines] : []), link, ...after, ...end].join('\n\n')}\n`;
}

export function htmlOf({ subject, before, figures = [], action, link, after, stop }: Letter): string {
  const paragraphs = (words: readonly string[]) => words.map((text) => html`<p>${text}</p>\n`);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
${paragraphs(before)}${figures.length > 0 && tableOf(figures)}<p><a href="${link}"><strong>${action}</strong></a></p>
<p>If the link does not open, copy this address into your browser:<br>
${link}</p>
${paragraphs(after)}${stop && html`<p><a href="${stop.link}">${stop.action}</a></p>\n`}</body>
</html>
`.text;
}

function tableOf(figures: NonNullable<Letter['figures']>) {
  const cell = 'padding:4px 24px 4px 0;text-align:left;vertical-align:baseline';
  const rows = figures.map(
    ({ name, value, note }) =>
      html`<tr><th scope="row" style="${cell};font-weight:400">${name}</th><td style="${cell}"><strong>${value}</strong></td><td style="${cell}">${note}</td></tr>\n`,
  );
  return html`<table style="border-collapse:collapse;margin:0 0 16px">
${rows}</table>
`;
}
