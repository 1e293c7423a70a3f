// What only admins see. Others are told so instead of getting an error.
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { ShieldIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/settings.ts';

/** Renders its content even while the role is not known yet, so that its request need not wait for that. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { me, isAdmin } = useRights();
  const { who } = useSession();
  if (isAdmin || (!me && !who)) return children;
  return (
    <EmptyState icon={<ShieldIcon size={20} />} title={t.adminOnly} text={t.adminOnlyText}>
      <Anchor component={Link} href="/settings/people">
        {t.seePeople}
      </Anchor>
    </EmptyState>
  );
}
