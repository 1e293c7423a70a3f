-- Designs: emails made of blocks, blocks that several emails share, and pictures.

-- Pictures for emails. The content is in a table of its own, so that lists do not read it.
create table file (
  tenant_id bigint not null references tenant,
  file_id asset_id not null,
  -- Of the content, with a key of the tenant. The public address has it.
  hash bytea not null,
  name text not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  width integer not null,
  height integer not null,
  -- Bytes.
  size integer not null,
  created_by bigint not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, file_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id)
);
create unique index file_content_once on file (tenant_id, hash);
create index file_public on file (hash);
create index file_newest on file (tenant_id, created_at desc, file_id desc);

create table file_content (
  tenant_id bigint not null,
  file_id asset_id not null,
  content bytea not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references file (tenant_id, file_id) on delete cascade
);
-- Pictures are compressed already, and a slice of uncompressed content can be read alone.
alter table file_content alter column content set storage external;

-- Blocks that designs share by their id.
create table saved_block (
  tenant_id bigint not null references tenant,
  block_id asset_id not null,
  name text not null,
  blocks jsonb not null,
  -- In hex: ids of the saved blocks, and hashes of the files, that it names itself.
  uses text[] not null,
  -- Counts edits.
  revision integer not null default 1,
  created_by bigint not null,
  updated_by bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, block_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id),
  foreign key (tenant_id, updated_by) references account (tenant_id, account_id)
);
create index saved_block_newest on saved_block (tenant_id, created_at desc, block_id desc);
create index saved_block_uses on saved_block using gin (uses);

-- Null, all three, for an email that is written in HTML.
alter table email add column design jsonb;
alter table email add column text_template text;
-- The version of the compiler.
alter table email add column compiled_by integer;
-- As in saved_block: what its design names, and the files in its html.
alter table email add column uses text[] not null default '{}';
create index email_uses on email using gin (uses) where deleted_at is null and uses <> '{}';

alter table email_revision add column design jsonb;
alter table email_revision add column text_template text;
alter table email_revision add column compiled_by integer;
