import { Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../../shared/card.tsx';
import { CopyButton } from '../../shared/copy-button.tsx';
import { CheckIcon, CloseIcon, InfoIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { kinds, t, things } from '../../texts/why.ts';
import { placeOf, whyPath } from './question.ts';
import { Remedy } from './remedy.tsx';
import classes from './why.module.css';
import type { WhyAnswer } from './why-api.ts';

export function AnswerView({ answer, onChanged }: { answer: WhyAnswer; onChanged: () => void }) {
  const { holds, sentence, about, contact, evidence } = answer;
  // By id: a person's address does not belong in a link that is passed around.
  const link = new URL(`/console${whyPath(contact.contactId, about)}`, location.href).href;
  const place = placeOf(about);
  return (
    <>
      <section className={classes.answer} data-holds={holds} aria-live="polite">
        <span className={holds ? classes.yes : classes.no}>
          {holds ? <CheckIcon size={20} /> : <CloseIcon size={20} />}
        </span>
        <div className={classes.said}>
          <VisuallyHidden>{holds ? t.holds : t.holdsNot}</VisuallyHidden>
          <p className={classes.sentence}>{sentence}</p>
          <div className={classes.links}>
            <Link href={`/contacts/${contact.contactId}`}>{contact.name}</Link>
            {place && <Link href={place}>{about.name ?? things[about.kind]}</Link>}
          </div>
        </div>
        <CopyButton text={link} label={t.copy} />
      </section>
      <Card title={t.evidence}>
        <Text c="dimmed" size="sm" mb="sm">
          {evidence.length === 0 ? t.noEvidence : t.evidenceText}
        </Text>
        <ol className={classes.evidence} aria-label={t.evidence}>
          {evidence.map((piece, no) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same words may come twice, and their order is their weight
            <Piece key={no} piece={piece} about={about} contact={contact} isAnswered={holds} onChanged={onChanged} />
          ))}
        </ol>
      </Card>
    </>
  );
}

interface PieceProps extends Pick<WhyAnswer, 'about' | 'contact'> {
  piece: WhyAnswer['evidence'][number];
  /** Whether it is an answer why they got it. */
  isAnswered: boolean;
  onChanged: () => void;
}

function Piece({ piece, about, contact, isAnswered, onChanged }: PieceProps) {
  const { holds, kind, text, at, fact, ref } = piece;
  // The subject of the question is linked above.
  const place = ref && ref.id !== about.id ? placeOf(ref, about) : undefined;
  return (
    <li className={classes.piece}>
      <Sign holds={holds} isNote={kind === 'reentry' && isAnswered} />
      <div className={classes.text}>
        <div className={classes.kind}>
          <span>{kinds[kind] ?? kind}</span>
          {at && <Moment at={at} />}
        </div>
        <div>{text}</div>
        {place && (
          <Link href={place} className={classes.look ?? ''} aria-label={`${t.look}: ${text}`}>
            {t.look}
          </Link>
        )}
        {fact && (
          <div>
            <Remedy fact={fact} contact={contact} onChanged={onChanged} />
          </div>
        )}
      </div>
    </li>
  );
}

/** Whether somebody who entered may enter again is worth knowing, and speaks against nothing. */
function Sign({ holds, isNote }: { holds: boolean; isNote: boolean }) {
  if (isNote)
    return (
      <span className={classes.note}>
        <InfoIcon size={14} />
        <VisuallyHidden>{t.note}</VisuallyHidden>
      </span>
    );
  return (
    <span className={holds ? classes.yes : classes.no}>
      {holds ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
      <VisuallyHidden>{holds ? t.for : t.against}</VisuallyHidden>
    </span>
  );
}
