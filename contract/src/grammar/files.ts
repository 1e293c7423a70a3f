// Which pictures are taken. Data alone: it needs no TypeBox, and the console imports it.

/** The extension of each type that is taken. */
export const pictureTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
} as const;
export type PictureType = keyof typeof pictureTypes;

export const mostFileBytes = 5 * 1024 * 1024;
