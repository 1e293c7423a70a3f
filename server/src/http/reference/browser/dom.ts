// Creates elements without markup: text never becomes HTML on this page, and its policy would refuse it.

type Attributes = Record<string, string | boolean | undefined>;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  element.append(...children);
  return element;
}

/** An element that the server has put into the page. */
export function get<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

export function all<Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind[] {
  return [...within.querySelectorAll<Kind>(selector)];
}

/** The element in which an event happened, if it is of this kind. */
export function origin(event: Event, selector: string): HTMLElement | undefined {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : undefined;
}

/** A sentence of the contract, with `backticks` as code. */
export function prose(text: string): (Node | string)[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? make('code', {}, part) : part));
}
