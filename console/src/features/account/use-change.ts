// What every change of one's own account does afterwards: the page, the name in the menu and the list of people are read again.
import { useQueryClient } from '@tanstack/react-query';
import { changeOwnAccount, readOwnAccountAgain, SignedOut } from '../../api/session/own-account.ts';
import { useSession } from '../../api/session/session.tsx';

export function useChange() {
  const queries = useQueryClient();
  const { refresh } = useSession();
  return async (change: Parameters<typeof changeOwnAccount>[0]) => {
    try {
      const changed = await changeOwnAccount(change);
      await readOwnAccountAgain(queries);
      if (change.do === 'name' || change.do === 'password') await refresh();
      return changed;
    } catch (error) {
      if (error instanceof SignedOut) await refresh();
      throw error;
    }
  };
}
