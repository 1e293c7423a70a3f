// A person who signs out in one tab has signed out in all of this browser: none may go on showing what is theirs.
const channel = 'rapport-session';
const signedOut = 'signed out';

export function tellOtherTabs(): void {
  const tabs = new BroadcastChannel(channel);
  tabs.postMessage(signedOut);
  tabs.close();
}

/** Returns how to stop listening. */
export function onSignedOutElsewhere(leave: () => void): () => void {
  const tabs = new BroadcastChannel(channel);
  tabs.addEventListener('message', ({ data }) => data === signedOut && leave());
  return () => tabs.close();
}
