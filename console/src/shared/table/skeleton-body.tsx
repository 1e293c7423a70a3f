import { Skeleton } from '@mantine/core';

const rows = [0, 1, 2, 3, 4, 5, 6, 7];

/** Grey lines exactly where the rows will be. */
export function SkeletonBody({ cells }: { cells: number }) {
  return (
    <tbody aria-hidden="true">
      {rows.map((row) => (
        <tr key={row}>
          {Array.from({ length: cells }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <td key={at}>
              <Skeleton height={12} width={`${[70, 55, 40, 60][(row + at) % 4]}%`} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
