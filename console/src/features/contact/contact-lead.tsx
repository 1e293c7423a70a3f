import { Skeleton, Tooltip } from '@mantine/core';
import { nameOf } from '../../shared/contact-name.ts';
import { Moment } from '../../shared/moment.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { t } from '../../texts/contact.ts';
import { suppressionWords } from '../../texts/messages.ts';
import classes from './contact.module.css';
import type { Contact, Suppression } from './contact-api.ts';

interface LeadProps {
  contact: Contact | undefined;
  /** Null: gets mail. Undefined: not known yet. */
  suppression: Suppression | null | undefined;
}

/** Below the name: the address, and whether it gets mail. */
export function ContactLead({ contact, suppression }: LeadProps) {
  if (!contact) return <Skeleton height={18} width={260} mt={6} />;
  return (
    <div className={classes.lead}>
      {nameOf(contact.properties) && <span className={classes.email}>{contact.email}</span>}
      <MailBadge suppression={suppression} />
      <span>
        {t.createdAt} <Moment at={contact.createdAt} />
      </span>
    </div>
  );
}

function MailBadge({ suppression }: Pick<LeadProps, 'suppression'>) {
  if (suppression === undefined) return null;
  if (suppression === null) return <ToneBadge tone="good">{t.getsMail}</ToneBadge>;
  const { label, tone, text } = suppressionWords[suppression.reason];
  return (
    <Tooltip label={text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard brings up the words, too */}
      <span tabIndex={0}>
        <ToneBadge tone={tone}>{label}</ToneBadge>
      </span>
    </Tooltip>
  );
}
