// What is wrong with a design besides its shape: errors that keep it from being saved, and warnings.
import {
  type BlockContent,
  type ContentSpan,
  type DesignProblem,
  designLimits,
  type LinkAddress,
  type ProblemSeverity,
  type VariableSpan,
} from '@rapport/contract';
import type { KnownFiles } from '../html/blocks.js';
import { faultOfAddress } from './addresses.js';
import { checkHtmlBlock, type ReadTemplate } from './check-html-block.js';
import { unseenOf } from './clients.js';
import { contrastOf } from './colours.js';
import { type Item, type Leaf, within } from './expand.js';
import type { Look } from './theme.js';

/** A variable that a design uses, and where. */
export interface UsedVariable {
  /** Its first segment: what must be known. */
  readonly name: string;
  readonly shown: string;
  readonly place: string;
}

export class Check {
  readonly problems: DesignProblem[] = [];
  readonly variables: UsedVariable[] = [];
  private hasUnsubscribe = false;
  private readonly drawn = new Set<'text' | 'link' | 'button'>();

  constructor(
    private readonly look: Look,
    private readonly files: KnownFiles,
    private readonly readTemplate: ReadTemplate,
  ) {}

  all(items: readonly Item[], isInEach = false): void {
    for (const item of items) this.item(item, isInEach);
  }

  /** What only the whole tells. */
  end(): void {
    if (!this.hasUnsubscribe)
      this.add(
        'error',
        'design.blocks',
        'there is no unsubscribe link: add a footer, or {{unsubscribe_url}} in an html block',
      );
    for (const scheme of ['light', 'dark'] as const) {
      const { surface, text, link, button, buttonText } = this.look[scheme];
      const place = scheme === 'light' ? 'design.theme' : 'design.theme.dark';
      if (this.drawn.has('text')) this.contrast(`${place}.text`, text, surface, scheme);
      if (this.drawn.has('link')) this.contrast(`${place}.link`, link, surface, scheme);
      if (this.drawn.has('button')) this.contrast(`${place}.buttonText`, buttonText, button, scheme);
    }
  }

  private add(severity: ProblemSeverity, place: string, message: string): void {
    if (!this.problems.some((known) => known.place === place && known.message === message))
      this.problems.push({ place, severity, message });
  }

  private item(item: Item, isInEach: boolean): void {
    switch (item.kind) {
      case 'leaf':
        this.leaf(item, isInEach);
        return;
      case 'columns':
        for (const { items } of item.columns) this.all(items, isInEach);
        return;
      case 'if':
        this.all(item.then, isInEach);
        this.all(item.otherwise, isInEach);
        return;
      case 'each':
        this.use(item.block.of, within(item, '.of'), false);
        this.all(item.items, true);
        return;
    }
  }

  private leaf(item: Leaf, isInEach: boolean): void {
    const { block } = item;
    const at = (part: string) => within(item, part);
    switch (block.type) {
      case 'heading':
      case 'text':
        this.drawn.add('text');
        this.content(block.content, at, '.content', isInEach);
        return;
      case 'button':
        this.drawn.add('button');
        if (typeof block.label !== 'string') this.spans(block.label, at, '.label', isInEach, 'button');
        this.address(block.href, at('.href'), isInEach);
        return;
      case 'image':
        if (block.href !== undefined) this.address(block.href, at('.href'), isInEach);
        this.picture(block.src, at('.src'));
        return;
      case 'social':
        for (const [i, { href }] of block.links.entries()) this.address(href, at(`.links[${i}].href`), isInEach);
        return;
      case 'html':
        this.html(block.html, at('.html'), isInEach);
        return;
      case 'footer':
        this.hasUnsubscribe = true;
        this.drawn.add('text');
        this.content(block.content ?? [], at, '.content', isInEach);
        return;
      case 'divider':
      case 'spacer':
        return;
    }
  }

  private content(content: BlockContent, at: (part: string) => string, path: string, isInEach: boolean): void {
    for (const [i, { spans }] of content.entries()) this.spans(spans, at, `${path}[${i}].spans`, isInEach, 'surface');
  }

  private spans(
    spans: readonly ContentSpan[],
    at: (part: string) => string,
    path: string,
    isInEach: boolean,
    ground: 'surface' | 'button',
  ): void {
    for (const [i, span] of spans.entries()) {
      const place = `${path}[${i}]`;
      if (!('text' in span)) {
        this.variable(span, at(`${place}.variable`), isInEach);
        continue;
      }
      if (span.color) this.contrast(at(`${place}.color`), span.color, this.look.light[ground], 'light');
      else if (span.href !== undefined) this.drawn.add('link');
      if (span.href !== undefined) this.address(span.href, at(`${place}.href`), isInEach);
    }
  }

  private address(address: LinkAddress, place: string, isInEach: boolean): void {
    const fault = faultOfAddress(address);
    if (fault !== undefined) this.add('error', place, fault);
    if (typeof address === 'string') return;
    for (const part of address) if (!('text' in part)) this.variable(part, place, isInEach);
  }

  private variable({ variable }: VariableSpan, place: string, isInEach: boolean): void {
    this.use(variable, place, isInEach);
  }

  private use(path: string, place: string, isInEach: boolean): void {
    const [name] = path.split('.') as [string];
    if (!(isInEach && name === 'item')) this.variables.push({ name, shown: path, place });
  }

  private picture(src: string, place: string): void {
    const file = Object.hasOwn(this.files, src) ? this.files[src] : undefined;
    if (file === null) {
      this.add('error', place, 'this file no longer exists');
      return;
    }
    if (!file && !/^https:\/\/[^\s/]/i.test(src)) {
      this.add('error', place, 'the address of a picture must begin with https://, or be that of a file');
      return;
    }
    const { pictureWidth, pictureBytes } = designLimits;
    if (file && file.width > pictureWidth)
      this.add(
        'warning',
        place,
        `this picture is ${file.width} pixels wide; more than ${pictureWidth} only makes it slow`,
      );
    if (file && file.bytes > pictureBytes)
      this.add(
        'warning',
        place,
        `this picture has ${(file.bytes / 1e6).toFixed(1)} MB; more than 1 MB is slow to load`,
      );
    for (const message of unseenOf({ picture: src })) this.add('warning', place, message);
  }

  private html(html: string, place: string, isInEach: boolean): void {
    const checked = checkHtmlBlock(html, this.files, this.readTemplate);
    for (const { severity, message } of checked.problems) this.add(severity, place, message);
    for (const { name, shown } of checked.variables) {
      if (name === 'unsubscribe_url') this.hasUnsubscribe = true;
      if (!(isInEach && name === 'item')) this.variables.push({ name, shown, place });
    }
  }

  private contrast(place: string, ink: string, ground: string, scheme: 'light' | 'dark'): void {
    const contrast = contrastOf(ink, ground);
    if (contrast >= designLimits.contrast) return;
    const where = scheme === 'dark' ? ' in dark mode' : '';
    // Rounded down: 4.49 is not 4.5.
    const shown = Math.floor(contrast * 10) / 10;
    this.add(
      'warning',
      place,
      `the contrast of ${ink} on ${ground}${where} is ${shown}; at least ${designLimits.contrast} is wanted`,
    );
  }
}
