// Hidden in every client that renders HTML, shown by the inbox beside the subject.
const style = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all';

/** Puts the inbox preview text where a client looks for it: first in the body. */
export function insertPreheader(html: string, preheader: string | null): string {
  if (!preheader) return html;
  const hidden = `<div style="${style}">${escapeHtml(preheader)}</div>`;
  const at = bodyStart(html);
  return html.slice(0, at) + hidden + html.slice(at);
}

/** Just after `<body …>`, else the start. Comments are passed over: Outlook has bodies of its own in them. Linear. */
function bodyStart(html: string): number {
  const opener = /<!--|<body(?=[\s/>])/gi;
  for (let found = opener.exec(html); found; found = opener.exec(html)) {
    if (found[0] !== '<!--') return tagEnd(html, opener.lastIndex);
    const end = html.indexOf('-->', opener.lastIndex);
    if (end < 0) return 0;
    opener.lastIndex = end + 3;
  }
  return 0;
}

/** Past the `>` of a tag; one in quotes does not count. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const char = html[at] as string;
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at + 1;
  }
  return 0;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
