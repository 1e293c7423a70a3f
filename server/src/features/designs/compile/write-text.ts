// The plain-text part, as a person would write it: a Liquid template like the html, made from the blocks and not from the html.
import {
  type BlockContent,
  type ContentSpan,
  type LinkAddress,
  socialNetworks,
  type TextSpan,
} from '@rapport/contract';
import { writeAddress } from './addresses.js';
import type { Item, LeafBlock } from './expand.js';
import { footerWordsIn } from './footer-words.js';
import { conditionOf, designTags, pathOf, plainLiteral, shown, tag } from './liquid.js';

/** Blocks are separated by an empty line, which each brings itself, so that none is left where a condition does not hold. */
export function writeText(items: readonly Item[], lang: string): string {
  return `${writeItems(items, lang).replace(/^\n+/, '')}\n`;
}

function writeItems(items: readonly Item[], lang: string): string {
  return items.map((item) => writeItem(item, lang)).join('');
}

function writeItem(item: Item, lang: string): string {
  const { audience, each } = designTags;
  switch (item.kind) {
    case 'leaf': {
      const text = writeLeaf(item.block, lang);
      return text === '' ? '' : `\n\n${text}`;
    }
    case 'columns':
      return item.columns.map(({ items }) => writeItems(items, lang)).join('');
    case 'if': {
      const otherwise = item.otherwise.length > 0 ? tag('else') + writeItems(item.otherwise, lang) : '';
      const then = writeItems(item.then, lang);
      return tag(audience, conditionOf(item.block.filter)) + then + otherwise + tag(`end${audience}`);
    }
    case 'each':
      return tag(each, pathOf(item.block.of)) + writeItems(item.items, lang) + tag(`end${each}`);
  }
}

function writeLeaf(block: LeafBlock, lang: string): string {
  switch (block.type) {
    case 'heading':
    case 'text':
      return writeContent(block.content, lang);
    case 'button':
      return labelled(writeLabel(block.label, lang), block.href, lang);
    case 'image':
      return block.href === undefined ? plainLiteral(block.alt) : labelled(plainLiteral(block.alt), block.href, lang);
    case 'divider':
    case 'spacer':
      return '';
    case 'social':
      return block.links.map(({ network, href }) => labelled(socialNetworks[network], href, lang)).join('\n');
    case 'html':
      // Rendered as HTML, then reduced to its words.
      return tag(designTags.plain) + block.html + tag(`end${designTags.plain}`);
    case 'footer': {
      const { unsubscribe, preferences } = footerWordsIn(lang);
      const { publicTopics } = designTags;
      return [
        ...(block.content?.length ? [`${writeContent(block.content, lang)}\n`] : []),
        plainLiteral(block.address),
        `${unsubscribe}: {{unsubscribe_url}}${tag(publicTopics)}\n${preferences}: {{preferences_url}}${tag(`end${publicTopics}`)}`,
      ].join('\n');
    }
  }
}

/** A label with where it leads, on a line. */
function labelled(label: string, href: LinkAddress, lang: string): string {
  const target = writeAddress(href, lang, 'text');
  if (target === undefined) return label;
  return label === '' || label === target ? target : `${label}: ${target}`;
}

function writeLabel(label: string | readonly ContentSpan[], lang: string): string {
  return typeof label === 'string' ? plainLiteral(label) : writeSpans(label, lang);
}

function writeContent(content: BlockContent, lang: string): string {
  let number = 0;
  const lines = content.map(({ type, spans }, i) => {
    number = type === 'number' ? number + 1 : 0;
    const mark = type === 'number' ? `${number}. ` : type === 'bullet' ? '- ' : '';
    const isApart = i > 0 && (type === 'paragraph' || content[i - 1]?.type !== type);
    return `${isApart ? '\n' : ''}${mark}${writeSpans(spans, lang)}`;
  });
  return lines.join('\n');
}

/** Neighbouring spans with one address are one link: its address follows the last of them. */
function writeSpans(spans: readonly ContentSpan[], lang: string): string {
  const addressOf = (span: ContentSpan | undefined) =>
    span && 'text' in span && span.href !== undefined ? writeAddress(span.href, lang, 'text') : undefined;
  let linked = '';
  return spans
    .map((span, i) => {
      const words = 'text' in span ? plainLiteral((span as TextSpan).text) : shown(span, lang);
      const target = addressOf(span);
      if (target === undefined) return words;
      linked += words;
      if (addressOf(spans[i + 1]) === target) return words;
      const isShown =
        linked.trim() === target || `mailto:${linked.trim()}` === target || `tel:${linked.trim()}` === target;
      linked = '';
      return isShown ? words : `${words} (${target.replace(/^mailto:|^tel:/, '')})`;
    })
    .join('');
}
