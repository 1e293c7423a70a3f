// A list of either kind, as filters and addresses name it.

export type ListKey = { readonly staticListId: string } | { readonly dynamicListId: string };
type ListType = 'static' | 'dynamic';

export const isStatic = (list: ListKey): list is { readonly staticListId: string } => 'staticListId' in list;
export const idOf = (list: ListKey): string => (isStatic(list) ? list.staticListId : list.dynamicListId);
export const listKey = (type: ListType, id: string): ListKey =>
  type === 'static' ? { staticListId: id } : { dynamicListId: id };

/** `static:019a…`, as in addresses. */
export const sayKey = (list: ListKey): string => `${isStatic(list) ? 'static' : 'dynamic'}:${idOf(list)}`;

export function readKey(text: string | undefined): ListKey | undefined {
  const [, type, id] = /^(static|dynamic):([0-9a-f]{24})$/.exec(text ?? '') ?? [];
  return type && id ? listKey(type as ListType, id) : undefined;
}
