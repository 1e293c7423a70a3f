import { VisuallyHidden } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import { rowsOfDiff, withoutLongSame } from './rows-of-diff.ts';
import classes from './side-by-side.module.css';

interface SideBySideProps {
  left: { title: string; text: string };
  right: { title: string; text: string };
}

/** Two texts, line by line: differences are marked, by colour and in words. On a phone, one above the other. */
export default function SideBySide({ left, right }: SideBySideProps) {
  const rows = withoutLongSame(rowsOfDiff(left.text, right.text));
  return (
    // Focusable for the keyboard, because a long difference scrolls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={classes.frame} aria-label={t.difference} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{left.title}</th>
            <th scope="col">{right.title}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) =>
            row ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other name than their place
              <tr key={at}>
                <Side text={row.left} isChanged={!row.isSame} className={classes.removed} word={t.removed} />
                <Side text={row.right} isChanged={!row.isSame} className={classes.added} word={t.added} />
              </tr>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={at} className={classes.gap}>
                <td colSpan={2}>…</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

interface SideProps {
  text: string | undefined;
  isChanged: boolean;
  className: string | undefined;
  word: string;
}

function Side({ text, isChanged, className, word }: SideProps) {
  if (text === undefined) return <td className={classes.none} />;
  return (
    <td className={isChanged ? className : undefined}>
      {isChanged && <VisuallyHidden>{`${word}: `}</VisuallyHidden>}
      {text}
    </td>
  );
}
