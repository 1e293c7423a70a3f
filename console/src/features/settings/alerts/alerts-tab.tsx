import { Title } from '@mantine/core';
import { useRights } from '../../../api/session/rights.ts';
import { t } from '../../../texts/alerts.ts';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { AlertList } from './alert-list.tsx';
import { AlertMail } from './alert-mail.tsx';
import { AlertWebhook } from './alert-webhook.tsx';

export default function AlertsTab() {
  const { isAdmin } = useRights();
  return (
    <>
      <TabHead text={t.about} />
      <AlertMail />
      {isAdmin && <AlertWebhook />}
      <Title order={2} className={classes.title ?? ''}>
        {t.list}
      </Title>
      <AlertList />
    </>
  );
}
