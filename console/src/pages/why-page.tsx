// "Why did this person (not) get this?" Pick the two: one sentence, then the evidence. The address contains the question, so it can be shared.
import { getContact } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { dataOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { AnswerView } from '../features/why/answer-view.tsx';
import { AskSelect } from '../features/why/ask-select.tsx';
import { choiceOf, type Thing, thingIn, thingOf, whyPath } from '../features/why/question.ts';
import classes from '../features/why/why.module.css';
import {
  type Choice,
  peopleFound,
  personLabel,
  thingsFound,
  type WhyAnswer,
  whyAsked,
} from '../features/why/why-api.ts';
import { Card } from '../shared/card.tsx';
import { nameOf } from '../shared/contact-name.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { QuestionIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { useEmailNames, useJourneyNames } from '../shared/names/use-names.ts';
import { Page } from '../shared/page.tsx';
import { t, things } from '../texts/why.ts';

export default function WhyPage() {
  const api = useApi();
  const [params, setParams] = useSearchParams();
  const contact = params.get('contact') ?? undefined;
  const thing = thingIn((name) => params.get(name) ?? undefined);
  const ask = (whom: string | undefined, what: Thing | undefined) =>
    setParams(new URLSearchParams(whyPath(whom, what).split('?')[1] ?? ''));
  const isWhole = thing !== undefined && (contact !== undefined || thing.kind === 'message');
  const { data, error, refetch } = useQuery({
    ...whyAsked(api, { contact, thing: thing as Thing }),
    enabled: isWhole,
  });
  const answer = isWhole ? data : undefined;
  return (
    <Page title={answer ? t.title : t.askTitle} windowTitle={t.title}>
      <div className={classes.question}>
        <AskSelect
          label={t.who}
          placeholder={t.whoHint}
          nothing={t.nobody}
          chosen={usePerson(contact, answer)}
          find={(search) => peopleFound(api, search)}
          onChoose={(value) => ask(value, thing)}
        />
        <AskSelect
          label={t.thing}
          placeholder={t.thingHint}
          nothing={t.nothing}
          chosen={useThing(thing, answer)}
          find={(search) => thingsFound(api, search)}
          onChoose={(value) => ask(contact ?? answer?.contact.contactId, value ? thingOf(value) : undefined)}
        />
      </div>
      {answer ? (
        <AnswerView answer={answer} onChanged={() => void refetch()} />
      ) : isWhole ? (
        <Card>
          {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState label={t.finding} />}
        </Card>
      ) : (
        <Card>
          <EmptyState
            icon={<QuestionIcon size={20} />}
            title={contact === undefined ? t.pickWho : t.pickThing}
            text={t.ask}
          />
        </Card>
      )}
    </Page>
  );
}

/** The contact in question, with a name as soon as one is known; fetched in parallel with the answer, not after it. */
function usePerson(contact: string | undefined, answer: WhyAnswer | undefined): Choice | undefined {
  const api = useApi();
  const isId = contact !== undefined && !contact.includes('@');
  const { data } = useQuery({
    ...dataOf(api, getContact, { params: { id: contact ?? '' } }),
    enabled: isId,
  });
  if (answer) return { value: answer.contact.contactId, label: personLabel(answer.contact.name, answer.contact.email) };
  if (contact === undefined) return undefined;
  return { value: contact, label: data ? personLabel(nameOf(data.properties), data.email) : isId ? t.who : contact };
}

function useThing(thing: Thing | undefined, answer: WhyAnswer | undefined): Choice | undefined {
  const [emails, journeys] = [useEmailNames(), useJourneyNames()];
  if (!thing) return undefined;
  if (answer) {
    const { kind, id, name } = answer.about;
    return {
      value: choiceOf({ kind, id }),
      label: name === null ? things[kind] : `${name} (${things[kind].toLowerCase()})`,
    };
  }
  const name = thing.kind === 'journey' ? journeys.nameOf(thing.id) : emails.nameOf(thing.id);
  return { value: choiceOf(thing), label: name ?? (thing.kind === 'list' ? t.group.lists : things[thing.kind]) };
}
