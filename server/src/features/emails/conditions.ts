// The conditions of designs: which contacts see which blocks. A template names a filter in a tag; here it is read, checked and evaluated for all
// contacts of a batch at once, and only the outcome goes to the process that renders.
import { sayFault } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { hasPublicTopic } from '../consent/index.js';
import { type DesignFault, designTags, type FilterReader } from '../designs/index.js';
import {
  conditionsOf,
  evaluateFilters,
  type Fault,
  type Filter,
  FilterFaults,
  readFilter,
  readMoment,
  type Subjects,
} from '../filter-language/index.js';
import type { Failure, Field, Texts } from './rendering/texts.js';

export interface Filters {
  /** What filters may be about. */
  filterSubjects(): Subjects;
  /** What a filter names and is not there. */
  findMissing(db: Runner, tenantId: number, filter: Filter): Promise<readonly Fault[]>;
}

/** The condition of the tag for public topics: it has no filter. */
const publicTopics = '';
// As many as a design can have.
const mostConditions = 200;

/** A filter of a design may be about the contact's own data, lists and topics. What happened takes too long to look up for each mail. */
const tooFar: Readonly<Record<string, string>> = {
  event: 'events',
  sequence: 'events',
  orgMembers: 'the members of an organization',
  marketing: 'earlier mail',
  journeyId: 'journeys',
};

export class Conditions {
  constructor(
    private readonly db: Database,
    private readonly filters: Filters,
  ) {}

  /** Reads the filter of an `if`. */
  readonly read: FilterReader = (json, place) => {
    const result = this.filterOf(json, place);
    return 'faults' in result ? result.faults : [];
  };

  /** Lists and topics that filters of a design name and that are not there. */
  async missing(
    db: Runner,
    tenantId: number,
    filters: readonly { place: string; filter: unknown }[],
  ): Promise<DesignFault[]> {
    const faults: DesignFault[] = [];
    for (const { place, filter: json } of filters) {
      const result = this.filterOf(json, place);
      if ('faults' in result) continue;
      const missing = await this.filters.findMissing(db, tenantId, result.filter);
      faults.push(...missing.map(({ path, words }) => ({ place: path, message: words })));
    }
    return faults;
  }

  /** What is wrong with the conditions that stand in the texts of an email. */
  async faultsIn(tenantId: number, texts: Texts): Promise<Failure[]> {
    const faults: Failure[] = [];
    const found = tagsIn(texts).filter(({ condition }) => condition !== publicTopics);
    if (new Set(found.map(({ condition }) => condition)).size > mostConditions) {
      const { field, line, column } = found[mostConditions] as FoundTag;
      faults.push({ field, line, column, message: `must have at most ${mostConditions} conditions` });
    }
    for (const { field, line, column, condition } of found.slice(0, mostConditions)) {
      const words = await this.faultOf(tenantId, condition);
      const message = `is not a valid template: ${words} (line ${line}, column ${column})`;
      if (words !== undefined) faults.push({ field, line, column, message });
    }
    return faults;
  }

  private async faultOf(tenantId: number, condition: string): Promise<string | undefined> {
    const result = this.filterIn(condition);
    if (!result) return `a filter is wanted in {% ${designTags.audience} %}`;
    const [fault] =
      'faults' in result ? result.faults : await this.filters.findMissing(this.db, tenantId, result.filter);
    return fault && sayFault(fault.path, fault.words);
  }

  /**
   * Whether each contact meets each condition. Recipients who are not contacts meet none. One statement answers for all contacts and
   * several conditions.
   */
  async decide(
    tenantId: number,
    conditions: readonly string[],
    contactIds: readonly (string | undefined)[],
  ): Promise<boolean[][]> {
    const runner = contactIds.length > 1 ? this.db.background : this.db;
    const hasTopic = conditions.includes(publicTopics) && (await hasPublicTopic(runner, tenantId));
    const filters = conditions.map((condition) => {
      const result = condition === publicTopics ? undefined : this.filterIn(condition);
      return result && 'filter' in result ? result.filter : undefined;
    });
    const asked = filters.filter((filter) => filter !== undefined);
    const ids = contactIds.filter((id) => id !== undefined);
    const verdicts =
      asked.length === 0 || ids.length === 0
        ? new Map<string, { holds: boolean }[]>()
        : await evaluateFilters(runner, tenantId, asked, ids, (await readMoment(runner, tenantId)).exact);
    return contactIds.map((id) => {
      const own = id === undefined ? undefined : verdicts.get(id);
      let next = 0;
      return conditions.map((condition, i) => {
        if (condition === publicTopics) return hasTopic;
        return filters[i] !== undefined && (own?.[next++]?.holds ?? false);
      });
    });
  }

  private filterIn(condition: string): ReturnType<Conditions['filterOf']> | undefined {
    try {
      return this.filterOf(JSON.parse(condition), 'filter');
    } catch {
      return undefined;
    }
  }

  private filterOf(json: unknown, place: string): { filter: Filter } | { faults: readonly Fault[] } {
    try {
      const filter = readFilter(json, this.filters.filterSubjects(), place);
      const faults = [...conditionsOf(filter)].flatMap((condition) => {
        const key = condition.kind === 'registered' ? condition.subject.key : condition.kind;
        const what = Object.hasOwn(tooFar, key) ? tooFar[key] : undefined;
        return what
          ? [{ path: `${condition.path}.${key}`, words: `a condition in an email cannot be about ${what}` }]
          : [];
      });
      return faults.length > 0 ? { faults } : { filter };
    } catch (error) {
      if (error instanceof FilterFaults) return { faults: error.faults };
      throw error;
    }
  }
}

interface FoundTag {
  readonly condition: string;
  readonly field: Field;
  readonly line: number;
  readonly column: number;
}

/** The distinct conditions of an email. A text without any costs one search. */
export function conditionsIn(texts: Texts): string[] {
  return [...new Set(tagsIn(texts).map(({ condition }) => condition))];
}

const opener = new RegExp(`\\{%-?\\s*(${designTags.audience}|${designTags.publicTopics})(?![\\w-])`, 'g');

function tagsIn({ subject, preheader, html }: Texts): FoundTag[] {
  // The plain text of a design has the conditions of its html.
  const parts = [
    ['subject', subject],
    ['preheader', preheader ?? ''],
    ['html', html],
  ] as const;
  return parts.flatMap(([field, text]) => {
    if (!text.includes(designTags.audience) && !text.includes(designTags.publicTopics)) return [];
    const found: FoundTag[] = [];
    let line = 1;
    let lineStart = 0;
    let end = 0;
    for (const { index, 0: start, 1: name } of text.matchAll(opener)) {
      // What looks like a tag inside another is none.
      if (index < end) continue;
      end = text.indexOf('%}', index + start.length);
      if (end < 0) break;
      for (let at = text.indexOf('\n', lineStart); at >= 0 && at < index; at = text.indexOf('\n', lineStart)) {
        line++;
        lineStart = at + 1;
      }
      const inside = text
        .slice(index + start.length, end)
        .replace(/-$/, '')
        .trim();
      const condition = name === designTags.publicTopics ? publicTopics : inside;
      found.push({ condition, field, line, column: index - lineStart + 1 });
    }
    return found;
  });
}
