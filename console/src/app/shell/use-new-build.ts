// Whether the service has a newer console than this tab. Checked when the user returns to the tab, which is when it matters.
import { useEffect, useState } from 'react';

/** The service writes the build id into the page. */
const own = document.querySelector('meta[name=build]')?.getAttribute('content');
const restMs = 60_000;

export function useNewBuild(): boolean {
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    let askedAt = Date.now();
    const ask = async () => {
      if (document.visibilityState !== 'visible' || Date.now() - askedAt < restMs) return;
      askedAt = Date.now();
      const answer = await fetch('/console/build').catch(() => undefined);
      const { build } = answer?.ok ? ((await answer.json()) as { build: string | null }) : { build: null };
      if (build && own && build !== own) setOld(true);
    };
    const onSight = () => void ask().catch(() => undefined);
    document.addEventListener('visibilitychange', onSight);
    window.addEventListener('focus', onSight);
    return () => {
      document.removeEventListener('visibilitychange', onSight);
      window.removeEventListener('focus', onSight);
    };
  }, []);
  return isOld;
}
