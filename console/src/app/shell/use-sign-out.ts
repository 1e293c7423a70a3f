import { useSession } from '../../api/session/session.tsx';
import { leaveFor } from '../../shared/leave-guard.ts';

/** Signing out loses unsaved work like any other way out, so it asks like any other. */
export function useSignOut(): () => void {
  const { signOut } = useSession();
  return () => leaveFor(() => signOut());
}
