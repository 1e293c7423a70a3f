import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { t } from '../texts/shared.ts';
import { Page } from './page.tsx';

/** For an unknown address. */
export function NoPage() {
  return (
    <Page title={t.noPage} lead={t.noPageText}>
      <div>
        <Button component={Link} href="/" variant="default">
          {t.goHome}
        </Button>
      </div>
    </Page>
  );
}
