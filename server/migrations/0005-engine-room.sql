-- One work loop for everything that waits: when it is due, how often it was tried, what went wrong; and counters that fold what changed.

-- A long write is applied in steps, beside the others: an import. `transactions` needs to know no kind by name.
-- `due_at`: not before then, after an attempt that failed. Null: at once.
alter table write_transaction
  add column is_long boolean not null default false,
  add column attempts smallint not null default 0,
  add column last_error text,
  add column due_at timestamptz(3);
update write_transaction set is_long = true where status = 'PENDING' and kind = 'contact.import';

drop index write_transaction_pending;
drop index write_transaction_imports;
create index write_transaction_pending on write_transaction (tenant_id, seq) where status = 'PENDING' and not is_long;
create index write_transaction_long on write_transaction (tenant_id, seq) where status = 'PENDING' and is_long;

-- A contact whose grams could not be stored waits here, and is found by reading it; 'infinity': nobody tries again.
alter table contact_search_queue
  add column attempts smallint not null default 0,
  add column last_error text,
  add column due_at timestamptz(3) not null default now();
create index contact_search_queue_due on contact_search_queue (tenant_id, due_at);

-- Deltas that were added since the counter was folded last: a short list of what changed.
alter table counter_delta add column is_fresh boolean not null default true;
create index counter_delta_fresh on counter_delta (tenant_id, counter) where is_fresh;
