import { Type } from 'typebox';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Named, Text } from './schema.js';

export const Folder = Named('Folder', {
  directoryId: AssetId('Folder id, 24 hex digits.'),
  directoryName: Type.String(),
});

const example = { directoryId: '019a8b2c4d5e6f708192a3b4', directoryName: 'Onboarding' };
const pathParams = { id: 'Folder id.' };
const Name = Text(255, { description: 'Name of the folder, unique in the tenant.' });

export const listFolders = route({
  id: 'listFolders',
  tag: 'Folders',
  method: 'GET',
  path: '/folders',
  versions: onlyV2,
  summary: 'List folders',
  description: 'Newest first.',
  query: { search, ...paging },
  snakeCase: true,
  data: Folder,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const createFolder = route({
  id: 'createFolder',
  tag: 'Folders',
  method: 'POST',
  path: '/folders',
  versions: onlyV2,
  summary: 'Create a folder',
  body: Named('FolderInput', { name: Name }),
  data: Folder,
  paged: false,
  errors: ['FOLDER_ALREADY_EXISTS'],
  example: { body: { name: 'Onboarding' }, data: example },
});

export const updateFolder = route({
  id: 'updateFolder',
  tag: 'Folders',
  method: 'PATCH',
  path: '/folders/{id}',
  versions: onlyV2,
  summary: 'Rename a folder',
  pathParams,
  body: Named('FolderPatch', { name: Type.Optional(Name) }),
  data: Folder,
  paged: false,
  errors: ['NOT_FOUND', 'FOLDER_ALREADY_EXISTS'],
  example: { path: { id: example.directoryId }, body: { name: 'Onboarding' }, data: example },
});

export const deleteFolder = route({
  id: 'deleteFolder',
  tag: 'Folders',
  method: 'DELETE',
  path: '/folders/{id}',
  versions: onlyV2,
  summary: 'Delete a folder',
  description: 'What is in the folder stays and is unfiled.',
  pathParams,
  data: Named('DeletedFolder', { ...Folder.properties, success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id: example.directoryId }, data: { ...example, success: true } },
});

export const folderRoutes = [listFolders, createFolder, updateFolder, deleteFolder] as const;
