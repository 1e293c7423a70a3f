import type { DataValue, exportContact } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';

type Sections = DataValue<typeof exportContact>;
type SectionName = keyof Sections;
/** A row of a section, or the section itself if it is a single object. Fields that the contract does not name are not shown. */
export type SectionRow<Name extends SectionName> = Sections[Name] extends (infer Row)[] ? Row : Sections[Name];

export interface Person {
  id: string;
  email: string;
}

/** Reads what a feature keeps about a person, for the right of access: everything its erasers remove. Reads page by page, by key. */
export interface Exporter {
  name: SectionName;
  read(db: Runner, tenantId: number, person: Person): AsyncIterable<object>;
}

export function exporter<Name extends SectionName>(
  name: Name,
  read: (db: Runner, tenantId: number, person: Person) => AsyncIterable<SectionRow<Name> & object>,
): Exporter {
  return { name, read };
}
