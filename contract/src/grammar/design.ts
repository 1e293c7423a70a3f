// What a design is made of: kinds of blocks with their fields, limits, networks, fonts and formats. Data alone: it needs no TypeBox. The
// server's reader and compiler, the console's editor and docs/designs.md are made from these.

export const designVersion = 1;

export const designLimits = {
  /** Containers count, a saved block counts as one. */
  blocks: 200,
  /** Of compact JSON in UTF-8. */
  bytes: 256 * 1024,
  columns: { least: 2, most: 4 },
  /** Of an `each`. */
  rounds: 20,
  width: { least: 320, most: 800, usual: 600 },
  radius: { least: 0, most: 32, usual: 8 },
  textSize: { least: 12, most: 24, usual: 16 },
  height: { least: 1, most: 200, divider: 33, spacer: 24 },
  /** Gmail cuts off what is longer. */
  htmlBytes: 102 * 1024,
  pictureWidth: 2000,
  pictureBytes: 1_000_000,
  contrast: 4.5,
} as const;

export const designColours = ['background', 'surface', 'text', 'link', 'button', 'buttonText'] as const;
export type DesignColour = (typeof designColours)[number];

export const usualColours: Readonly<Record<DesignColour, string>> = {
  background: '#f3f4f6',
  surface: '#ffffff',
  text: '#1f2430',
  link: '#2456d6',
  button: '#2456d6',
  buttonText: '#ffffff',
};

/** The generic families, and those that nearly every computer has. */
export const designFonts = {
  sans: "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  serif: "Georgia,'Times New Roman',Times,serif",
  mono: "Menlo,Consolas,'Courier New',monospace",
  Arial: 'Arial,Helvetica,sans-serif',
  Helvetica: 'Helvetica,Arial,sans-serif',
  Verdana: 'Verdana,Geneva,sans-serif',
  Tahoma: 'Tahoma,Geneva,sans-serif',
  'Trebuchet MS': "'Trebuchet MS',Helvetica,sans-serif",
  Georgia: 'Georgia,serif',
  'Times New Roman': "'Times New Roman',Times,serif",
  Garamond: 'Garamond,Georgia,serif',
  'Palatino Linotype': "'Palatino Linotype',Palatino,'Book Antiqua',serif",
  'Courier New': "'Courier New',Courier,monospace",
  'Lucida Console': "'Lucida Console',Monaco,monospace",
} as const;
export type DesignFont = keyof typeof designFonts;

/** Their names, for people. */
export const socialNetworks = {
  linkedin: 'LinkedIn',
  x: 'X',
  facebook: 'Facebook',
  instagram: 'Instagram',
  youtube: 'YouTube',
  github: 'GitHub',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  tiktok: 'TikTok',
  website: 'Website',
} as const;
export type SocialNetwork = keyof typeof socialNetworks;

export const variableFormats = ['upper', 'lower', 'capitalize', 'number', 'date'] as const;
export type VariableFormat = (typeof variableFormats)[number];

export const alignments = ['left', 'center', 'right'] as const;
export type Alignment = (typeof alignments)[number];

export const contentTypes = ['paragraph', 'bullet', 'number'] as const;
export type ContentType = (typeof contentTypes)[number];

/** Schemes that a link may have. */
export const linkSchemes = ['http', 'https', 'mailto', 'tel'] as const;

export interface VariableSpan {
  readonly variable: string;
  readonly default?: string;
  readonly format?: VariableFormat;
}
export interface TextSpan {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly color?: string;
  readonly href?: LinkAddress;
}
export type ContentSpan = TextSpan | VariableSpan;
/** Where a link leads: a plain text, or spans of text and variables. */
export type LinkAddress = string | readonly ({ readonly text: string } | VariableSpan)[];

export interface ContentItem {
  readonly type: ContentType;
  readonly spans: readonly ContentSpan[];
}
export type BlockContent = readonly ContentItem[];

interface Aligned {
  readonly align?: Alignment;
}
export interface HeadingBlock extends Aligned {
  readonly type: 'heading';
  readonly level: 1 | 2 | 3;
  readonly content: BlockContent;
}
export interface TextBlock extends Aligned {
  readonly type: 'text';
  readonly content: BlockContent;
  readonly size?: number;
}
export interface ButtonBlock extends Aligned {
  readonly type: 'button';
  readonly label: string | readonly ContentSpan[];
  readonly href: LinkAddress;
  readonly wide?: boolean;
}
export interface ImageBlock extends Aligned {
  readonly type: 'image';
  readonly src: string;
  readonly alt: string;
  readonly href?: LinkAddress;
  readonly width?: number;
}
export interface ColumnsBlock {
  readonly type: 'columns';
  readonly columns: readonly { readonly width: number; readonly blocks: readonly Block[] }[];
  readonly stack?: boolean;
}
export interface DividerBlock {
  readonly type: 'divider';
  readonly height?: number;
}
export interface SpacerBlock {
  readonly type: 'spacer';
  readonly height?: number;
}
export interface SocialBlock {
  readonly type: 'social';
  readonly links: readonly { readonly network: SocialNetwork; readonly href: LinkAddress }[];
}
export interface HtmlBlock {
  readonly type: 'html';
  readonly html: string;
}
export interface FooterBlock {
  readonly type: 'footer';
  readonly address: string;
  readonly content?: BlockContent;
}
export interface SavedBlock {
  readonly type: 'saved';
  readonly blockId: string;
}
export interface IfBlock {
  readonly type: 'if';
  /** Of the filter language. */
  readonly filter: unknown;
  readonly blocks: readonly Block[];
  readonly else?: readonly Block[];
}
export interface EachBlock {
  readonly type: 'each';
  readonly of: string;
  readonly blocks: readonly Block[];
}
export type Block =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | ColumnsBlock
  | DividerBlock
  | SpacerBlock
  | SocialBlock
  | HtmlBlock
  | FooterBlock
  | SavedBlock
  | IfBlock
  | EachBlock;

export interface DesignTheme extends Partial<Readonly<Record<DesignColour, string>>> {
  readonly width?: number;
  readonly lang?: string;
  readonly font?: DesignFont;
  readonly radius?: number;
  readonly dark?: 'auto' | Partial<Readonly<Record<DesignColour, string>>>;
}
export interface Design {
  readonly version: typeof designVersion;
  readonly theme?: DesignTheme;
  readonly blocks: readonly Block[];
}

export type ProblemSeverity = 'error' | 'warning';
export interface DesignProblem {
  /** `design.blocks[3].columns[0].blocks[1].href` */
  readonly place: string;
  readonly severity: ProblemSeverity;
  readonly message: string;
}

/** What a field of a block holds. */
export type BlockFieldKind =
  | 'content'
  | 'alignment'
  | 'level'
  | 'textSize'
  | 'label'
  | 'address'
  | 'flag'
  | 'text'
  | 'id'
  | 'percent'
  | 'columns'
  | 'height'
  | 'links'
  | 'filter'
  | 'path'
  | 'blocks';

interface BlockRow {
  /** For people: a name and a line. */
  readonly title: string;
  readonly text: string;
  readonly wants: Readonly<Record<string, BlockFieldKind>>;
  readonly may: Readonly<Record<string, BlockFieldKind>>;
}

/** The kinds of blocks, with the fields that each wants and may have. */
export const blockKinds = {
  heading: {
    title: 'Heading',
    text: 'A title of one of three levels.',
    wants: { level: 'level', content: 'content' },
    may: { align: 'alignment' },
  },
  text: {
    title: 'Text',
    text: 'Paragraphs and lists.',
    wants: { content: 'content' },
    may: { align: 'alignment', size: 'textSize' },
  },
  button: {
    title: 'Button',
    text: 'A link that looks like a button.',
    wants: { label: 'label', href: 'address' },
    may: { align: 'alignment', wide: 'flag' },
  },
  image: {
    title: 'Picture',
    text: 'A picture, with a description for people who can’t see it.',
    wants: { src: 'text', alt: 'text' },
    may: { href: 'address', width: 'percent', align: 'alignment' },
  },
  columns: {
    title: 'Columns',
    text: 'Two to four side by side, one below the other on a phone.',
    wants: { columns: 'columns' },
    may: { stack: 'flag' },
  },
  divider: { title: 'Divider', text: 'A thin line.', wants: {}, may: { height: 'height' } },
  spacer: { title: 'Space', text: 'Room between two blocks.', wants: {}, may: { height: 'height' } },
  social: {
    title: 'Social links',
    text: 'Links to your profiles elsewhere.',
    wants: { links: 'links' },
    may: {},
  },
  html: { title: 'HTML', text: 'Your own HTML, used as it is.', wants: { html: 'text' }, may: {} },
  footer: {
    title: 'Footer',
    text: 'The postal address and the unsubscribe link.',
    wants: { address: 'text' },
    may: { content: 'content' },
  },
  saved: { title: 'Saved block', text: 'A block that several emails share.', wants: { blockId: 'id' }, may: {} },
  if: {
    title: 'Condition',
    text: 'Blocks for the contacts that a filter matches, and others for the rest.',
    wants: { filter: 'filter', blocks: 'blocks' },
    may: { else: 'blocks' },
  },
  each: {
    title: 'Repeat',
    text: 'Blocks for every element of a list.',
    wants: { of: 'path', blocks: 'blocks' },
    may: {},
  },
} as const satisfies Readonly<Record<Block['type'], BlockRow>>;
export type BlockKind = keyof typeof blockKinds;
