// Begins what a page has a button for, once the page is there. Until then it may load, or ask whether unsaved work may be left.
const patienceMs = 20_000;

const visible = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.offsetParent !== null);

/** `path` within the console. Gives up when the person goes elsewhere. */
export function pressThere(path: string, selector: string): void {
  const before = location.pathname;
  const there = `/console${path}`;
  // The page that is left may still be shown for a moment, with a button of the same kind.
  const old = before === there ? undefined : visible(selector);
  const until = performance.now() + patienceMs;
  const look = () => {
    const isOnTheWay = [before, there].includes(location.pathname);
    if (!isOnTheWay || performance.now() > until) return;
    // The search is a dialog too: as it closes it gives the focus back, and must not take it from one that opens.
    const isFree = location.pathname === there && !document.querySelector('[role=dialog]');
    const button = isFree ? visible(selector) : undefined;
    if (button && button !== old) button.click();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
