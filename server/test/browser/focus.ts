// What the keyboard finds on a page: where Tab stops, whether the focus is visible, and what can be clicked but never reached.
import type { Page } from 'playwright-core';

/** Runs in the page. Each step also reports the previous stop, because only now is its look without the focus known. */
const watch = `(() => {
  const properties = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'backgroundColor'];
  const tell = (each) => (each.outerHTML.match(/^<[^>]*>/)?.[0] ?? each.tagName).slice(0, 200) + (each.textContent ?? '').trim().slice(0, 40);
  // The element that shows the focus: the field around an input, the label beside a hidden radio, the frame of an editor.
  const lookOf = (each) => {
    const above = [each, each.parentElement, each.parentElement?.parentElement];
    for (let up = each.closest('.cm-editor'); up && !up.matches('main'); up = up.parentElement) above.push(up);
    return JSON.stringify([...above, each.nextElementSibling].filter(Boolean).map((one) => properties.map((name) => getComputedStyle(one)[name])));
  };
  const isSeen = (each) => {
    const drawn = each.matches('input[type=radio], input[type=checkbox]') ? (each.parentElement ?? each) : each;
    const { left, top, width, height } = drawn.getBoundingClientRect();
    for (let up = drawn; up; up = up.parentElement) if (Number(getComputedStyle(up).opacity) < 0.3) return false;
    return [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.2], [0.5, 0.8]].some(([x, y]) => {
      const on = document.elementFromPoint(left + width * x, top + height * y);
      return on && (drawn.contains(on) || (on.contains(drawn) && on.matches('label, button, a, td')));
    });
  };
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  // A canvas takes a few frames to scroll a step into view, an editor to draw its frame.
  const comesTrue = async (look) => {
    for (let frames = 0; frames < 60; frames++) {
      if (look()) return true;
      await frame();
    }
    return false;
  };
  const walk = { stops: new Set(), last: undefined, faults: [], before: new Set(document.body.querySelectorAll('*')) };
  window.walk = walk;
  walk.step = async () => {
    const now = document.activeElement;
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
    const { last } = walk;
    const isPlain = () => !last.element.isConnected || last.look !== lookOf(last.element);
    if (last && last.element !== now && !(await comesTrue(isPlain)))
      walk.faults.push('does not show the focus: ' + tell(last.element));
    const [first] = walk.stops;
    if (now === document.body || (now === first && last?.element !== now)) return 'end';
    // The page itself moved the focus, because the element that had it is gone.
    if (now.matches('[tabindex="-1"]')) walk.last = undefined;
    if (walk.stops.has(now) || now.matches('[tabindex="-1"]')) return 'again';
    walk.stops.add(now);
    // A preview is a document of its own: focus inside it is shown there.
    const editor = now.closest('.cm-editor');
    if (editor) await comesTrue(() => editor.matches('.cm-focused'));
    walk.last = now.matches('iframe') ? undefined : { element: now, look: lookOf(now) };
    if (!(await comesTrue(() => !now.isConnected || isSeen(now)))) walk.faults.push('is not seen when it has the focus: ' + tell(now));
    return 'on';
  };
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable=true], [role=button], ' +
    '[role=link], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=slider], [role=menuitem], [role=combobox]';
  // Text that only a pointer brings up, and that is readable elsewhere anyway.
  const isHint = (each) => each.title && !each.matches('iframe') && (each.title !== each.textContent || each.scrollWidth > each.clientWidth);
  // In a group with arrow-key navigation, only one is a tab stop.
  const groupOf = (each) => each.closest('[role=tablist], [role=radiogroup], [role=menu]');
  // What a label is in is clicked like the label itself.
  const isAround = (each, stop) => [...(stop.labels ?? [])].some((label) => each.contains(label));
  walk.unreachedElements = () => {
    const stops = [...walk.stops];
    const isReached = (each) =>
      stops.some((stop) => each.contains(stop) || stop.contains(each) || isAround(each, stop) ||
        (groupOf(each) && groupOf(each) === groupOf(stop)));
    // A label belongs to its field, and an element that only repeats the keys of its field is hidden from the keyboard on purpose.
    const isOther = (each) => each.closest('label, :disabled, [data-disabled], [aria-disabled=true], [aria-hidden=true], [inert]');
    return [...document.body.querySelectorAll('*')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !isOther(each) && !isReached(each))
      .filter((each) => each.matches(controls) || isHint(each) ||
        (getComputedStyle(each).cursor === 'pointer' && getComputedStyle(each.parentElement).cursor !== 'pointer'));
  };
  walk.unreached = () => walk.unreachedElements().map((each) => 'is never reached: ' + tell(each));
  // Something appeared after the walk had passed its place: another walk will show whether it can be reached.
  walk.isOutdated = () => walk.unreachedElements().some((each) => !walk.before.has(each));
})()`;

const most = 500;
/** Links of a preview that Tab goes through before it leaves: not a trap. */
const mostInside = 40;

/** How often a page may change while it is walked. */
const mostWalks = 4;

/** Presses Tab from the start of the page to its end. Returns what is wrong on the way. */
export async function faultsOfWalk(page: Page): Promise<string[]> {
  let faults = await walkOnce(page);
  for (let walks = 1; walks < mostWalks && (await page.evaluate<boolean>('walk.isOutdated()')); walks++)
    faults = await walkOnce(page);
  return faults;
}

async function walkOnce(page: Page): Promise<string[]> {
  await page.evaluate(watch);
  // From the top of the page, wherever the focus is. Browsers draw the focus ring only after a key press.
  await page.keyboard.press('Tab');
  await page.evaluate(`document.querySelector('a[href="#content"]').focus(); walk.step()`);
  let repeats = 0;
  for (let presses = 0; presses < most && repeats < mostInside; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string>('walk.step()');
    if (at === 'end') return page.evaluate<string[]>('[...walk.faults, ...walk.unreached()]');
    repeats = at === 'on' ? 0 : repeats + 1;
  }
  return [`holds the focus: ${await page.evaluate('document.activeElement.outerHTML.slice(0, 200)')}`];
}
