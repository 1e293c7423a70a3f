// What was chosen in the search last, by this person in this workspace. Only ids, kept like drafts: signing out removes them.
import { useShelf } from '../../../shared/drafts/use-shelf.ts';

const most = 30;

export function useRecent() {
  const shelf = useShelf<string[]>('search-recent');
  const ids = shelf.find()?.value ?? [];
  return {
    ids,
    note: (id: string) => shelf.keep([id, ...ids.filter((each) => each !== id)].slice(0, most), null),
  };
}
