// Is this contact in this list, and why, or why not?
import { findJoined, type ListRef } from '../dynamic-lists/index.js';
import type { Case, Evidence, Finding, ListExplanation } from './asked.js';
import { clause, quoted } from './words.js';

type Node = ListExplanation['nodes'][number];

export async function aboutStaticList(one: Case, list: { id: string; name: string }): Promise<Finding> {
  const { person, words } = one;
  const joined = await joinedAt(one, { staticListId: list.id });
  const ref = { kind: 'staticList' as const, id: list.id };
  if (joined === undefined) {
    const text = 'They were never added to this static list, or were removed from it.';
    return {
      holds: false,
      sentence: `${person.name} is not in ${quoted(list.name)}: they were never added, or were removed.`,
      evidence: [
        { at: null, holds: false, kind: 'list', text, fact: { code: 'notInList', staticListId: list.id }, ref },
      ],
    };
  }
  return {
    holds: true,
    sentence: `${person.name} is in ${quoted(list.name)}: they were added on ${words.day(joined)}.`,
    evidence: [{ at: joined, holds: true, kind: 'list', text: 'They were added to the list.', ref }],
  };
}

export async function aboutDynamicList(
  one: Case,
  list: { id: string; name: string },
  explained: ListExplanation,
): Promise<Finding> {
  const { person, words } = one;
  const { isMember, holds, nodes } = explained;
  const joined = isMember ? await joinedAt(one, { dynamicListId: list.id }) : undefined;
  const name = quoted(list.name);
  const [root] = nodes;
  const isIn = joined === undefined ? `is in ${name}` : `has been in ${name} since ${words.day(joined)}`;
  const sentence = isMember
    ? `${person.name} ${isIn}: ${holds ? clause(root?.text ?? '') : 'they matched its filter until a moment ago, and the list is catching up'}.`
    : `${person.name} is not in ${name}: ${holds ? 'they match its filter now, and the list is catching up' : whyNot(nodes)}.`;
  const member: Evidence = {
    ...{ at: joined ?? null, holds: isMember, kind: 'list' },
    text: isMember ? 'They are in the list.' : 'They are not in the list.',
    ref: { kind: 'dynamicList', id: list.id },
  };
  return { holds: isMember, sentence, evidence: [...byWeight(nodes, isMember, list.id), member] };
}

const joinedAt = ({ db, tenantId, person }: Case, list: ListRef) => findJoined(db, tenantId, list, person.contactId);

/** The parts of a filter: the deciding one first, then the rest in their order. */
function byWeight(nodes: readonly Node[], isMember: boolean, dynamicListId: string): Evidence[] {
  const first = isMember ? nodes[0] : culpritOf(nodes);
  const ordered = [...(first ? [first] : []), ...nodes.filter((node) => node !== first)];
  return ordered.map((node) => {
    const { text, holds, path } = node;
    // Who matches already need not be told what to change.
    const isCulprit = node === first && !isMember && !nodes[0]?.holds;
    return { at: null, holds, kind: 'filter', text, ...(isCulprit && { fact: failing(dynamicListId, path) }) };
  });
}

const failing = (dynamicListId: string, path: string) => ({ code: 'conditionFails' as const, dynamicListId, path });

/** The condition that keeps a contact out of a list, for what asks for the list. */
export function evidenceOfCulprit(list: { id: string; name: string }, { nodes }: ListExplanation): Evidence[] {
  const culprit = culpritOf(nodes);
  if (!culprit || nodes[0]?.holds) return [];
  const text = `In the list ${quoted(list.name)}: ${whyNot(nodes)}.`;
  const ref = { kind: 'dynamicList' as const, id: list.id };
  return [{ at: null, holds: false, kind: 'filter', text, fact: failing(list.id, culprit.path), ref }];
}

function whyNot(nodes: readonly Node[]): string {
  const culprit = culpritOf(nodes);
  if (!culprit) return 'they do not match its filter';
  return culprit.holds
    ? `it must not be true that ${clause(culprit.text)}`
    : `it is not true that ${clause(culprit.text)}`;
}

/** The smallest part that alone keeps a contact out: in `all` the first that fails, in `none` the first that holds. For `any`, the whole. */
export function culpritOf(nodes: readonly Node[]): Node | undefined {
  let found = nodes[0];
  while (found && !found.holds) {
    const { path } = found;
    const inner = (group: string) => nodes.filter((node) => isChild(path, group, node.path));
    const next = inner('all').find(({ holds }) => !holds) ?? inner('none').find(({ holds }) => holds);
    if (!next) return found;
    found = next;
  }
  return found;
}

function isChild(parent: string, group: string, path: string): boolean {
  const begin = `${parent}.${group}[`;
  return path.startsWith(begin) && /^\d+\]$/.test(path.slice(begin.length));
}
