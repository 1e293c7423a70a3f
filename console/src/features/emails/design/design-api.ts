// The calls of the block editor about pictures and saved blocks.
import type { Client } from '@rapport/client';
import * as contract from '@rapport/contract';
import {
  type BodyValue,
  createFile,
  type DataValue,
  type DesignTheme,
  getBlock,
  listBlocks,
  listFiles,
} from '@rapport/contract';
import { queryOptions } from '@tanstack/react-query';
import { dataOf, pageOf, rowsOf } from '../../../api/ask.ts';
import { t } from '../../../texts/designs.ts';

/** The address of the picture. */
export async function uploadPicture(api: Client, file: File): Promise<string> {
  const { data } = await api.call(createFile, {
    query: { name: file.name.slice(0, 255) || undefined },
    body: file,
    contentType: 'application/octet-stream',
  });
  return data.url;
}

export const picturesQuery = (api: Client) => pageOf(api, listFiles, { query: { pageSize: 30 } });

export type StoredBlock = DataValue<typeof getBlock>;

export const savedBlocksQuery = (api: Client) =>
  queryOptions({ ...rowsOf(api, listBlocks, { query: { pageSize: 200 } }), staleTime: 60_000 });

export const createSaved = async (api: Client, body: BodyValue<typeof contract.createBlock>): Promise<StoredBlock> =>
  (await api.call(contract.createBlock, { body })).data;

/** Refused if somebody else has changed it since it was read. */
export async function changeSaved(
  api: Client,
  { blockId, updatedAt }: StoredBlock,
  body: BodyValue<typeof contract.updateBlock>,
): Promise<StoredBlock> {
  const now = (await api.call(getBlock, { params: { blockId } })).data;
  if (now.updatedAt !== updatedAt) throw new Error(t.savedChanged);
  return (await api.call(contract.updateBlock, { params: { blockId }, body })).data;
}

export const deleteSaved = (api: Client, blockId: string) => api.call(contract.deleteBlock, { params: { blockId } });

/** What the designs of new emails begin with. */
export const workspaceThemeQuery = (api: Client) => dataOf(api, contract.getWorkspaceEmailTheme);

export const setWorkspaceTheme = (api: Client, theme: DesignTheme | null) =>
  api.call(contract.setWorkspaceEmailTheme, { body: { theme } });
