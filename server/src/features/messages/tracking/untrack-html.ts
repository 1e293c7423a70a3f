// Takes back what `trackHtml` did, for the console: whoever looks at a mail there is not its recipient, and must not count as one.
import { decodeHTMLAttribute } from 'entities';
import { parseToken, type TrackKind, trackPaths } from './tokens.js';
import { type Edit, edited, escapeAttribute } from './track-html.js';
import { type Tag, walkTags } from './walk-tags.js';

/** Without the picture that reports an open, and with links that lead directly to where they lead in the end. All other bytes stay. */
export function untrackHtml(html: string): string {
  if (!html.includes(trackPaths.open) && !html.includes(trackPaths.click)) return html;
  const edits: Edit[] = [];
  walkTags(html, {
    wants: (name) => name === 'a' || name === 'area' || name === 'img' || name.startsWith('v:'),
    visit: (tag) => {
      if (tag.isEnd) return;
      const edit = tag.name === 'img' ? withoutPicture(html, tag) : withoutDetour(html, tag);
      if (edit) edits.push(edit);
    },
  });
  return edited(html, edits);
}

function withoutPicture(html: string, tag: Tag): Edit | undefined {
  const src = attribute(html, tag, 'src');
  return src && tokenIn('open', src.value) ? { from: tag.from, to: tag.to, text: '' } : undefined;
}

function withoutDetour(html: string, tag: Tag): Edit | undefined {
  const href = attribute(html, tag, 'href');
  const url = href && tokenIn('click', href.value)?.url;
  if (!href || !url || !/^https?:\/\//i.test(url)) return undefined;
  return { from: href.from, to: href.to, text: escapeAttribute(url) };
}

/** If it occurs twice, the first counts. */
function attribute(html: string, { attributes }: Tag, wanted: string) {
  const found = attributes.find(({ name }) => name === wanted);
  if (!found) return undefined;
  const { valueFrom: from, valueTo: to } = found;
  return { from, to, value: decodeHTMLAttribute(html.slice(from, to)) };
}

/** By its path alone: the host may be that of the service, or of a tracking domain that is no longer set up. */
function tokenIn(kind: TrackKind, url: string) {
  const at = url.lastIndexOf(trackPaths[kind]);
  return at < 0 ? undefined : parseToken(kind, url.slice(at + trackPaths[kind].length));
}
