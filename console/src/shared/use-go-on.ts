import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Whether what asks is still shown: an answer may come after the person has gone elsewhere. */
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

/** Goes to what was made, unless the person has gone elsewhere meanwhile. */
export function useGoOn(): (to: string) => void {
  const [, navigate] = useLocation();
  const isHere = useIsHere();
  return (to) => {
    if (isHere()) navigate(to);
  };
}
