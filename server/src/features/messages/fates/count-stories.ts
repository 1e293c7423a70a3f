// Updates the figures for changed stories: adds what each message counts for now, less what it counted for before.
import type { Transaction } from '../../../db/database.js';
import { type Counted, Differences } from '../figures/contributions.js';
import { insertDeltas } from '../figures/feed/queries.js';
import { placeLinks, type WantedLink } from '../figures/links/links.js';
import type { ToldMessage } from './queries.js';
import type { Happening, Story } from './story.js';

/** A story, and its message as it was when the story was opened. */
export interface OpenStory {
  story: Story;
  message: ToldMessage;
  before: Counted;
}

export function openStory(message: ToldMessage, story: Story): OpenStory {
  return { story, message, before: countedOf({ ...message }, story.happenings) };
}

/** Runs before anything is stored: resolves which links were clicked, and the recipient's domain. */
export async function countStories(tx: Transaction, tenantId: number, opened: readonly OpenStory[]): Promise<void> {
  const touched = opened.filter(({ story, message }) => message.kind !== 'test' && isTouched(story));
  await settleClicks(tx, tenantId, touched);
  const differences = new Differences();
  for (const { story, message, before } of touched) {
    // A report may arrive before the sender records the send. To the sender, a domain means that there are figures to move.
    if (message.domain === null && message.address !== null) {
      message.domain = message.address.slice(message.address.lastIndexOf('@') + 1).toLowerCase();
      story.isChanged = true;
    }
    differences.add(tenantId, before, countedOf(message, story.happenings));
  }
  await insertDeltas(tx, differences.deltas());
}

function isTouched({ isChanged, judgedAnew, happenings }: Story): boolean {
  return isChanged || judgedAnew.size > 0 || happenings.at(-1)?.eventNo === null;
}

/** A copy, because a story changes its judgement of clicks in place. */
function countedOf(message: ToldMessage, happenings: readonly Happening[]): Counted {
  const engagements = happenings.flatMap(({ what, at, isMachine, clickOf }) =>
    what === 'opened' || what === 'clicked' ? { what, at, isMachine, clickOf } : [],
  );
  return { message, engagements };
}

async function settleClicks(tx: Transaction, tenantId: number, touched: readonly OpenStory[]): Promise<void> {
  const clicks = touched.flatMap(({ story, message: { emailId, address } }) =>
    story.happenings.flatMap((click): { click: Happening; link: WantedLink }[] =>
      click.what === 'clicked' && click.eventNo === null && click.detail !== null
        ? [{ click, link: { emailId, url: click.detail, isErased: address === null } }]
        : [],
    ),
  );
  const numbers = await placeLinks(
    tx,
    tenantId,
    clicks.map(({ link }) => link),
  );
  clicks.forEach(({ click, link }, i) => {
    click.clickOf = numbers[i] ?? null;
    // No address of an erased contact is kept.
    if (link.isErased) click.detail = null;
  });
}
