import { Fragment } from 'react';

const places = { '.': /(?<=\.)/, '/': /(?<=[^/]\/)(?!\/)/, _: /(?<=_)/ };

/** A long name, such as one of DNS: in a narrow column it breaks after dots, or what is `after`, not within words. */
export function Breakable({ text, after = '.' }: { text: string; after?: keyof typeof places }) {
  return text.split(places[after]).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
