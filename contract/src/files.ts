// Pictures for emails.
import { Type } from 'typebox';
import { mostFileBytes, type PictureType, pictureTypes } from './grammar/files.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Words } from './schema.js';

const fields = {
  fileId: AssetId(),
  url: Type.String({
    description: 'Where everyone can read it, for `src` in an email. The content there never changes.',
  }),
  width: Count('Pixels.'),
  height: Count('Pixels.'),
  size: Count('Bytes.'),
  type: Words(Object.keys(pictureTypes) as PictureType[], 'Read from the content, not from the name.'),
};
export const StoredFile = Named('StoredFile', fields);
export const FileRow = Named('FileRow', {
  ...fields,
  name: Type.String({ description: 'As the sender named it.' }),
  createdAt: Instant,
});

const tag = 'Files';
const fileId = '019a8b2c4d5e6f708192a3e1';
const example = {
  fileId,
  url: 'https://rapport.example.com/files/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png',
  ...{ width: 1200, height: 600, size: 48_213, type: 'image/png' },
};

export const createFile = route({
  id: 'createFile',
  tag,
  method: 'POST',
  path: '/files',
  versions: onlyV2,
  summary: 'Upload a picture',
  description:
    'PNG, JPEG, GIF or WebP, of at most 5 MiB and 20,000 pixels a side; the content decides, not the name. Either a form with the field `file`, or the bytes themselves with `?name=`. The same content again is the same file.',
  query: {
    name: {
      ...{ kind: 'text', emptyIsAbsent: true, repeatable: false },
      description:
        'The name of the file: at most 255 characters. A form has it in its field `file`, or in a field `name`.',
    },
  },
  consumes: { 'multipart/form-data': '', 'application/octet-stream': '' },
  mostFileBytes,
  data: StoredFile,
  paged: false,
  errors: ['PAYLOAD_TOO_LARGE'],
  example: { query: { name: 'header.png' }, data: example },
});

export const listFiles = route({
  id: 'listFiles',
  tag,
  method: 'GET',
  path: '/files',
  versions: onlyV2,
  summary: 'List files',
  description: 'Newest first.',
  query: paging,
  snakeCase: true,
  data: FileRow,
  paged: true,
  errors: [],
  example: { data: [{ ...example, name: 'header.png', createdAt: '2026-11-15T09:30:00.000Z' }] },
});

export const deleteFile = route({
  id: 'deleteFile',
  tag,
  method: 'DELETE',
  path: '/files/{fileId}',
  versions: onlyV2,
  summary: 'Delete a file',
  description:
    'Its address answers 404 from then on, also in mail that was sent before. Refused while an email or a saved block names it; earlier saves of emails do not count.',
  pathParams: { fileId: 'File id, 24 hex digits.' },
  data: Named('DeletedFile', { fileId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { fileId }, data: { fileId, success: true } },
});

export const fileRoutes = [listFiles, createFile, deleteFile] as const;
