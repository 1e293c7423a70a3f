// Fields that several forms share.
import { type Html, html } from '../../http/page.js';
import { leastPasswordLength, mostPasswordLength } from './passwords.js';

const longestName = 255;

/** A name as it is stored: one line. Undefined if it is missing or too long. */
export function readName(given: string | undefined): string | undefined {
  const name = (given ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return name === '' || name.length > longestName ? undefined : name;
}

export const nameFault = `Enter your name, in ${longestName} characters at most.`;

export function nameField(value: string): Html {
  return html`<div class="field"><label for="name">Your name</label>
<input id="name" name="name" value="${value}" autocomplete="name" maxlength="${longestName}" required></div>`;
}

/** Tells the browser whose password it is, so that it stores and finds it. */
export function emailField(email: string): Html {
  return html`<div class="field"><label for="email">Email address</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly></div>`;
}

export function newPasswordField(label: string): Html {
  return html`<div class="field"><label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${leastPasswordLength}" maxlength="${mostPasswordLength}" aria-describedby="password-hint" required>
<p class="hint" id="password-hint">At least ${leastPasswordLength} characters. A few words in a row are easy to remember.</p></div>`;
}

/** Words that a password must not contain. */
export function wordsAbout({ email, name }: { email: string; name: string }): string[] {
  return [email, email.split('@')[0] ?? '', ...name.split(/\s+/)];
}
