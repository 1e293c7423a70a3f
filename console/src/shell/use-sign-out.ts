import { leaveFor } from '../session/leave-guard.ts';
import { useSession } from '../session/session.tsx';

/** Signing out loses unsaved work like any other way out, so it asks like any other. */
export function useSignOut(): () => void {
  const { signOut } = useSession();
  return () => leaveFor(() => signOut());
}
