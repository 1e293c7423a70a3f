import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type SignedInBrowser, signOutEverywhere } from '../../api/session/own-account.ts';
import { useSession } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { Moment } from '../../shared/moment.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/account.ts';
import classes from './account.module.css';
import { useChange } from './use-change.ts';

export function BrowsersCard({ browsers }: { browsers: readonly SignedInBrowser[] }) {
  const { signedOut } = useSession();
  const [isAsked, asked] = useDisclosure(false);
  const everywhere = (
    <Button variant="default" size="xs" onClick={asked.open}>
      {t.everywhere}
    </Button>
  );
  return (
    <Card title={t.browsers} actions={everywhere}>
      <ul className={classes.rows}>
        {browsers.map((each) => (
          <BrowserRow key={each.sessionId} browser={each} />
        ))}
      </ul>
      {isAsked && (
        <ConfirmDialog
          title={`${t.everywhere}?`}
          text={t.everywhereText}
          confirm={t.everywhere}
          act={signOutEverywhere}
          onDone={signedOut}
          onClose={asked.close}
        />
      )}
    </Card>
  );
}

function BrowserRow({ browser }: { browser: SignedInBrowser }) {
  const { sessionId, name, address, createdAt, seenAt, isThis } = browser;
  const change = useChange();
  const ending = useAction({
    act: () => change({ do: 'end-session', session: String(sessionId) }),
    said: ({ good = '' }) => good,
  });
  return (
    <li>
      <div>
        <span className={classes.names}>
          {name}
          {isThis && <ToneBadge tone="info">{t.thisOne}</ToneBadge>}
        </span>
        <Text c="dimmed" size="sm">
          {address && `${t.from(address)}, `}
          {t.since} <Moment at={createdAt} />, {t.lastSeen} <Moment at={seenAt} />
        </Text>
      </div>
      {!isThis && (
        <Button
          variant="default"
          size="xs"
          loading={ending.isPending}
          aria-label={t.endSessionOf(name)}
          onClick={() => ending.mutate()}
        >
          {t.endSession}
        </Button>
      )}
    </li>
  );
}
