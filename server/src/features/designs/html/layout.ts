// Blocks that hold others: columns, conditions and repetitions.
import type { Columns, Item } from '../compile/expand.js';
import { conditionOf, designTags, pathOf, tag } from '../compile/liquid.js';
import { type Artist, layoutTable, type Room, writeLeaf } from './blocks.js';

/** Pixels of margin inside a column. */
const gutter = 8;

export function writeItems(items: readonly Item[], artist: Artist, room: Room): string {
  return items.map((item) => writeItem(item, artist, room)).join('');
}

function writeItem(item: Item, artist: Artist, room: Room): string {
  const inside = (items: readonly Item[]) => writeItems(items, artist, room);
  const { audience, each } = designTags;
  switch (item.kind) {
    case 'leaf':
      return writeLeaf(item.block, artist, room);
    case 'columns':
      return (item.block.stack ?? true) ? stacking(item, artist, room) : fixed(item, artist, room);
    case 'if': {
      const otherwise = item.otherwise.length > 0 ? tag('else') + inside(item.otherwise) : '';
      return tag(audience, conditionOf(item.block.filter)) + inside(item.then) + otherwise + tag(`end${audience}`);
    }
    case 'each':
      return tag(each, pathOf(item.block.of)) + inside(item.items) + tag(`end${each}`);
  }
}

function columnsOf({ columns }: Columns, artist: Artist, room: Room) {
  const whole = room.width + 2 * gutter;
  return columns.map(({ width, items }) => {
    const pixels = Math.floor((whole * width) / 100);
    const inside = { width: Math.max(1, pixels - 2 * gutter), side: gutter, isColumn: true };
    const table = `${layoutTable} style="table-layout:fixed;width:100%">${writeItems(items, artist, inside)}</table>`;
    return { percent: width, pixels, table };
  });
}

function row(html: string, room: Room, style: string): string {
  return `<tr><td class="r-pc" style="padding:4px ${room.side - gutter}px;${style}">${html}</td></tr>`;
}

/**
 * Side by side while there is room, else one below the other, without a style sheet: where the row is narrower than `turn`, the width becomes
 * large and is cut to the whole row; where it is wider, it becomes negative and the share of the row counts. Outlook gets a table.
 */
function stacking(item: Columns, artist: Artist, room: Room): string {
  const columns = columnsOf(item, artist, room);
  const turn = turnOf(artist.look.width, room.side - gutter);
  const ghost = (html: string) => `<!--[if mso]>${html}<![endif]-->`;
  const cells = columns.map(({ percent, pixels, table }, i) => {
    const css = `display:inline-block;vertical-align:top;font-size:16px;width:100%;min-width:${percent}%;max-width:100%;width:calc((${turn}px - 100%) * ${turn})`;
    const open = `${i === 0 ? '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>' : '</td>'}<td width="${pixels}" valign="top">`;
    // Where there is a style sheet, a narrow screen stacks them whatever the width of the email is.
    return `${ghost(open)}<div class="r-col" style="${css}">${table}</div>`;
  });
  return row(`${cells.join('')}${ghost('</td></tr></table>')}`, room, 'font-size:0;line-height:0');
}

/** Halfway between the room there is on a screen of 600 pixels and on one of 375. */
function turnOf(width: number, side: number): number {
  return Math.round((Math.min(width, 600) + Math.min(width, 375)) / 2 - 2 * side);
}

function fixed(item: Columns, artist: Artist, room: Room): string {
  const cells = columnsOf(item, artist, room).map(
    ({ percent, table }) =>
      `<td width="${percent}%" valign="top" style="width:${percent}%;vertical-align:top">${table}</td>`,
  );
  return row(
    `${layoutTable} style="table-layout:fixed;width:100%"><tr>${cells.join('')}</tr></table>`,
    room,
    'font-size:0',
  );
}
