/** The content of a new email: plain, readable everywhere, and with the link that every email must have. */
export function starterHtml(name: string, variables: readonly string[]): string {
  // If no contact of a workspace has a first name, an email that uses it would be refused.
  const hello = variables.includes('first_name') ? 'Hello {{first_name | default: "there"}}' : 'Hello';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(name)}</title>
  </head>
  <body style="margin: 0; padding: 24px; background: #f4f4f7; font-family: Arial, sans-serif; color: #1c2024;">
    <div style="max-width: 560px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 8px;">
      <h1 style="margin: 0 0 16px; font-size: 22px;">${hello}</h1>
      <p style="margin: 0 0 16px; line-height: 1.5;">Write here.</p>
    </div>
    <p style="text-align: center; font-size: 12px; color: #60646c;">
      <a href="{{unsubscribe_url}}" style="color: #60646c;">Unsubscribe</a>
    </p>
  </body>
</html>
`;
}

/** Braces too: the name of an email is not a template. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"{}%]/g, (character) => `&#${character.charCodeAt(0)};`);
}
