import { t } from '../../../texts/contacts.ts';
import type { OwnColumn } from './chosen-columns.ts';

export const ownTitles: Record<OwnColumn, string> = {
  name: t.name,
  createdAt: t.created,
  updatedAt: t.updated,
  id: t.id,
};
