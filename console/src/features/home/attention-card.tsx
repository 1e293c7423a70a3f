import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type AttentionKind, resumeSending } from '@rapport/contract';
import { Link } from 'wouter';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { AlertIcon, CheckIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { t } from '../../texts/home.ts';
import classes from './home.module.css';
import { type Attention, whereToLook } from './where-to-look.ts';

// What prevents mail or data from arriving; the rest is worth a look.
const grave: ReadonlySet<AttentionKind> = new Set(['mailPaused', 'domainProblems', 'writesWaiting', 'webhooksFailing']);

export function AttentionCard({ attention }: { attention: readonly Attention[] }) {
  if (attention.length === 0)
    return (
      <Card title={t.attention}>
        <div className={classes.item}>
          <span className={`${classes.sign} ${classes.good}`}>
            <CheckIcon />
          </span>
          <div>
            <div className={classes.name}>{t.allWell}</div>
            <div className={classes.quiet}>{t.allWellText}</div>
          </div>
        </div>
      </Card>
    );
  return (
    <Card title={t.attention}>
      <ul className={classes.items}>
        {attention.map((item) => (
          <Item key={item.kind} item={item} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ item }: { item: Attention }) {
  const { kind, text, since } = item;
  return (
    <li className={classes.item}>
      <span className={`${classes.sign} ${grave.has(kind) ? classes.bad : classes.warn}`}>
        <AlertIcon />
      </span>
      <div>
        <div>{text}</div>
        <div className={classes.ways}>
          <Anchor component={Link} href={whereToLook(item)} size="sm">
            {t.look[kind]}
          </Anchor>
          {kind === 'mailPaused' && <Resume />}
          {since && (
            <span className={classes.quiet}>
              {t.since} <Moment at={since} />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

function Resume() {
  const api = useApi();
  const { canWrite } = useRights();
  const [isAsking, asking] = useDisclosure(false);
  if (!canWrite) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={asking.open}>
        {t.resume}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.resumeTitle}
          text={t.resumeText}
          confirm={t.resume}
          act={() => api.call(resumeSending)}
          refresh={['workspace', 'sending']}
          said={t.resumed}
          onClose={asking.close}
        />
      )}
    </>
  );
}
