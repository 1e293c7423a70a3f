import { Fragment } from 'react';

/** A long name, such as one of DNS: in a narrow column it breaks after dots, not within words. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?<=\.)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change places
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
