import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Whether the component is still mounted: a response may arrive after the user has left. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}

/** Navigates to the created thing, unless the user has left meanwhile. */
export function useGoOn(): (to: string) => void {
  const [, navigate] = useLocation();
  const isHere = useIsHere();
  return (to) => {
    if (isHere()) navigate(to);
  };
}
