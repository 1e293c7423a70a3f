// Results of a write, kept small: one letter and the contact id per item. Emails are joined in when the transaction is polled,
// so an erased person disappears from old results too.

export type ItemStatus = 'CREATED' | 'UPDATED' | 'NO_CHANGE' | 'FAILED';

/** What is stored in write_transaction.results. */
export interface StoredResults {
  /** 33 characters per item: the letter of its status, then the contact id (zeros if there is none). */
  items: string;
  /** Ignored property keys by item number. */
  ignored?: Record<string, string[]>;
}

export interface ItemOutcome {
  results: StoredResults;
  failures: { item: number; email: string | null; error: string }[];
  counts: Record<ItemStatus, number>;
}

const letters: Record<ItemStatus, string> = { CREATED: 'C', UPDATED: 'U', NO_CHANGE: 'N', FAILED: 'F' };
const statuses = Object.fromEntries(Object.entries(letters).map(([status, letter]) => [letter, status])) as Record<
  string,
  ItemStatus
>;
const noContact = '0'.repeat(32);
const width = 33;

export class OutcomeBuilder {
  private items = '';
  private count = 0;
  private ignored: Record<string, string[]> | undefined;
  private readonly failures: ItemOutcome['failures'] = [];
  private readonly counts: ItemOutcome['counts'] = { CREATED: 0, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 };

  applied(status: ItemStatus, contactId: string, ignored: string[] = []): void {
    this.add(status, contactId, ignored);
  }

  /** `email` is set only if no contact has it. */
  failed(contactId: string | undefined, email: string | null, error: string, ignored: string[] = []): void {
    this.failures.push({ item: this.count, email, error });
    this.add('FAILED', contactId ?? noContact, ignored);
  }

  private add(status: ItemStatus, contactId: string, ignored: string[]): void {
    if (ignored.length > 0) {
      this.ignored ??= {};
      this.ignored[this.count] = ignored.filter((key) => key.isWellFormed()).map((key) => key.slice(0, 128));
    }
    this.items += letters[status] + contactId;
    this.counts[status]++;
    this.count++;
  }

  build(): ItemOutcome {
    const results = { items: this.items, ...(this.ignored ? { ignored: this.ignored } : {}) };
    return { results, failures: this.failures, counts: this.counts };
  }
}

interface ReadItemResult {
  status: ItemStatus;
  contactId: string | undefined;
  ignored: string[] | undefined;
}

export function readResults({ items, ignored }: StoredResults): ReadItemResult[] {
  return Array.from({ length: items.length / width }, (_, i) => {
    const contactId = items.slice(i * width + 1, (i + 1) * width);
    return {
      status: statuses[items[i * width] as string] as ItemStatus,
      contactId: contactId === noContact ? undefined : contactId,
      ignored: ignored?.[i],
    };
  });
}
