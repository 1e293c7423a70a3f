import type { DataValue, exportContact } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';

type Sections = DataValue<typeof exportContact>;
type SectionName = keyof Sections;
/** What one section has: rows, or the one that it is. More than the contract names may be in a row; that is not shown. */
export type SectionRow<Name extends SectionName> = Sections[Name] extends (infer Row)[] ? Row : Sections[Name];

export interface Person {
  id: string;
  email: string;
}

/** Reads what a feature keeps of a person, for the right of access: whatever its erasers remove. A page at a time, by key. */
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
