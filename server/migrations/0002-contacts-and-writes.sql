-- Acknowledged writes, and what they change: contacts, product users, organizations, list members.

-- One row is the acknowledgement and the queue. `seq` is the order of acknowledgement; a payload lives until DONE.
-- Not partitioned: the id is time-ordered, so old rows leave from one end of the key in small steps.
-- No foreign keys on the hot tables: each check would lock the tenant's one row, for thousands of writes a second.
create sequence write_transaction_seq;
create table write_transaction (
  tenant_id bigint not null,
  transaction_id uuid not null,
  seq bigint not null default nextval('write_transaction_seq'),
  kind text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DONE')),
  items integer not null default 1,
  payload text,
  results text,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (tenant_id, transaction_id)
);
-- Payloads are written once, read once and dropped: compressing them only costs time.
alter table write_transaction alter column payload set storage external;
create index write_transaction_pending on write_transaction (tenant_id, seq)
  where status = 'PENDING' and kind <> 'contact.import';
create index write_transaction_imports on write_transaction (tenant_id, seq)
  where status = 'PENDING' and kind = 'contact.import';
create index write_transaction_finished on write_transaction (finished_at) where status = 'DONE';

-- Items that failed without a contact carry an address of their own. Kept apart, so that erasure finds them.
create table write_failure (
  tenant_id bigint not null,
  transaction_id uuid not null,
  item integer not null,
  email text,
  error text not null,
  primary key (tenant_id, transaction_id, item)
);
create index write_failure_email on write_failure (tenant_id, email);

-- Rows of an uploaded file that wait to be applied. Those of an upload that was never acknowledged are swept.
create table import_chunk (
  tenant_id bigint not null,
  transaction_id uuid not null,
  chunk integer not null,
  -- The first row's place in the file, from 0, and how many there are.
  first_row integer not null,
  row_count integer not null,
  payload text not null,
  staged_at timestamptz(3) not null default now(),
  primary key (tenant_id, transaction_id, chunk)
);
alter table import_chunk alter column payload set storage external;
create index import_chunk_staged on import_chunk (staged_at);

create table contact (
  tenant_id bigint not null,
  contact_id uuid not null,
  email text not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Email and name, case-folded: what a search looks in.
  search_text text not null,
  primary key (tenant_id, contact_id),
  constraint contact_email unique (tenant_id, email)
);

-- Trigrams of search_text, kept by a chore and not by the write. A search also reads, row by row, the contacts newer
-- than settled_to and those in the queue, so it is right at any time.
create table contact_search (
  tenant_id bigint not null,
  contact_id uuid not null,
  grams integer[] not null,
  primary key (tenant_id, contact_id)
);
create index contact_search_grams on contact_search using gin (grams);
create table contact_search_progress (
  tenant_id bigint primary key,
  settled_to uuid not null
);
-- Older contacts whose name changed.
create table contact_search_queue (
  tenant_id bigint not null,
  contact_id uuid not null,
  primary key (tenant_id, contact_id)
);

create table contact_change (
  tenant_id bigint not null,
  contact_id uuid not null,
  change_id bigint generated always as identity,
  field text not null,
  old_value jsonb,
  new_value jsonb,
  source text not null,
  changed_at timestamptz(3) not null,
  primary key (tenant_id, contact_id, change_id)
);

-- Every property key that a tenant has used: what an email may name.
create table property_key (
  tenant_id bigint not null,
  key text not null,
  first_used_at timestamptz(3) not null default now(),
  primary key (tenant_id, key)
);

create table organization (
  tenant_id bigint not null references tenant,
  org_id text not null,
  name text not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, org_id)
);
create index organization_newest on organization (tenant_id, created_at desc, org_id desc);

create table product_user (
  tenant_id bigint not null,
  user_id text not null,
  -- The order of creation: users of one run share their created_at.
  user_no bigint generated always as identity,
  contact_id uuid not null,
  properties jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, contact_id)
);
create index product_user_contact on product_user (tenant_id, contact_id, user_no);

-- An organization id here need not be in `organization`: ids that memberships name count as known.
-- No cascade: whoever deletes a user takes its memberships away first, and counts them.
create table org_membership (
  tenant_id bigint not null,
  org_id text not null,
  user_id text not null,
  membership_no bigint generated always as identity,
  created_at timestamptz(3) not null,
  primary key (tenant_id, org_id, user_id),
  foreign key (tenant_id, user_id) references product_user (tenant_id, user_id)
);
create index org_membership_newest on org_membership (tenant_id, org_id, membership_no);
create index org_membership_user on org_membership (tenant_id, user_id, membership_no);

-- Which user a finished write was about. Kept apart from its results, so that erasure finds it.
create table user_write (
  tenant_id bigint not null,
  transaction_id uuid not null,
  user_id text not null,
  contact_id uuid,
  primary key (tenant_id, transaction_id),
  foreign key (tenant_id, transaction_id) references write_transaction (tenant_id, transaction_id) on delete cascade
);
create index user_write_contact on user_write (tenant_id, contact_id);

create table list_member (
  tenant_id bigint not null,
  list_id asset_id not null,
  contact_id uuid not null,
  added_at timestamptz(3) not null default now(),
  primary key (tenant_id, list_id, contact_id),
  foreign key (tenant_id, list_id) references static_list (tenant_id, list_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, contact_id)
);
create index list_member_contact on list_member (tenant_id, contact_id);
