/**
 * The HTML as it is shown: links ask for a new window, which the sandbox refuses, so that an accidental click leaves the
 * preview as it was. Added at the end, because anything before the doctype would change how the email is laid out; an email
 * that sets its own target keeps it.
 */
export function previewDocument(html: string): string {
  return `${html}\n<base target="_blank">`;
}
