/**
 * The HTML as it is shown: links ask for a new window, which the sandbox refuses, so that a click by mistake leaves the
 * preview as it was. At the end, because anything before the doctype would change how the email is laid out; an email
 * that names a target of its own keeps it.
 */
export function previewDocument(html: string): string {
  return `${html}\n<base target="_blank">`;
}
