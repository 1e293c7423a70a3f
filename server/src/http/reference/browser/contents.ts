// The names in the sidebar: the one being read is marked, and its group is open.
import { all, get, origin } from './dom.js';

const narrow = matchMedia('(max-width: 56rem)');

export const links: ReadonlyMap<string, HTMLAnchorElement> = new Map(
  all<HTMLAnchorElement>('nav a[href^="#"]').map((link) => [link.hash.slice(1), link]),
);

/** On a narrow screen the sidebar is a bar that opens over the page. */
export function setUpMenu(): void {
  const side = get('.side', HTMLElement);
  const button = get('.menu', HTMLButtonElement);
  const show = (opened: boolean) => {
    side.classList.toggle('opened', opened);
    button.setAttribute('aria-expanded', String(opened));
    button.textContent = opened ? 'Close' : 'Contents';
  };
  button.addEventListener('click', () => show(!side.classList.contains('opened')));
  side.addEventListener('click', (event) => {
    if (origin(event, 'a[href^="#"]')) show(false);
  });
  side.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !narrow.matches) return;
    show(false);
    button.focus();
  });
}

export function openMenu(): void {
  const side = get('.side', HTMLElement);
  if (narrow.matches && !side.classList.contains('opened')) get('.menu', HTMLButtonElement).click();
}

export function followReader(): void {
  let current: HTMLAnchorElement | undefined;
  /** The target of a link, until the reader scrolls on: the last operations never reach the top of the screen. */
  let led = false;
  const mark = (id: string) => {
    const link = links.get(id);
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    current = link;
    bringIntoView(link);
  };
  const follow = () => {
    const id = location.hash.slice(1);
    if (!links.has(id)) return;
    led = true;
    mark(id);
  };
  for (const move of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(move, () => (led = false), { passive: true, capture: true });
  addEventListener('hashchange', follow);
  // Following the same link again does not change the address.
  addEventListener('click', (event) => {
    if (origin(event, 'a[href^="#"]')) setTimeout(follow);
  });

  // A thin band near the top: whatever crosses it is being read.
  const watcher = new IntersectionObserver(
    (entries) => {
      const reading = entries.findLast(({ isIntersecting }) => isIntersecting);
      if (reading && !led) mark(reading.target.id);
    },
    { rootMargin: '-14% 0px -85% 0px' },
  );
  for (const section of all('.part, .operation')) watcher.observe(section);
  follow();
  // The first layout may have had the examples in another language.
  if (led) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** The group that was opened automatically, and is closed again afterwards. */
let openedHere: HTMLDetailsElement | undefined;

/** Opens the group of a link and scrolls the list, never the page. */
function bringIntoView(link: HTMLAnchorElement): void {
  const group = link.closest('details');
  const list = link.closest('nav');
  if (!group || !list) return;
  if (openedHere && openedHere !== group) openedHere.open = false;
  openedHere = group.open ? openedHere : group;
  group.open = true;
  const [box, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top < frame.top + 40 || box.bottom > frame.bottom - 40)
    list.scrollTop += box.top - frame.top - frame.height / 3;
}
