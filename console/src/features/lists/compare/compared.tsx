import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { listContacts } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { t } from '../../../texts/lists.ts';
import { whole } from '../../../texts/numbers.ts';
import type { ListKey } from '../list-key.ts';
import classes from './compared.module.css';

export interface NamedList {
  key: ListKey;
  name: string;
}

/** How many are in both lists, and in one of them alone; each number leads to the people. */
export function Compared({ one, other }: { one: NamedList; other: NamedList }) {
  return (
    <Stack component="ul" gap="xs" className={classes.parts ?? ''} aria-label={t.compare}>
      <Part title={t.inBoth} filter={{ all: [one.key, other.key] }} />
      <Part title={t.onlyIn(one.name)} filter={{ all: [one.key, { none: [other.key] }] }} />
      <Part title={t.onlyIn(other.name)} filter={{ all: [other.key, { none: [one.key] }] }} />
    </Stack>
  );
}

function Part({ title, filter }: { title: string; filter: object }) {
  const api = useApi();
  const text = JSON.stringify(filter);
  const { data, error, refetch } = useQuery({
    ...pageOf(api, listContacts, { query: { filter: text, pageSize: 1 } }),
    select: ({ totalElements }) => totalElements,
  });
  return (
    <li className={classes.part}>
      <span className={classes.title}>{title}</span>
      {error && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} compact />
      ) : data === undefined ? (
        <Skeleton height={20} width="6rem" />
      ) : (
        <>
          <Text span fw={600} className="tabular">
            {whole(data)}
          </Text>
          {data > 0 && (
            <Anchor component={Link} href={`/contacts?filter=${encodeURIComponent(text)}`} inherit>
              {t.showThem}
            </Anchor>
          )}
        </>
      )}
    </li>
  );
}
