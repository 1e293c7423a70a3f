-- Emails, their versions for single contacts, what arrived for them, and messages that were kept instead of sent.

create table email (
  tenant_id bigint not null references tenant,
  email_id asset_id not null,
  name text not null,
  name_folded text not null,
  name_grams integer[] not null,
  subject text not null,
  preheader text,
  html text not null,
  from_email text not null,
  from_name text,
  -- Null: the sender's address, also when that changes.
  reply_to text,
  folder_id asset_id,
  -- Counts edits, so that two editors notice each other.
  revision integer not null default 1,
  created_by bigint not null,
  updated_by bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, email_id),
  foreign key (tenant_id, folder_id) references folder (tenant_id, folder_id) on delete set null (folder_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id),
  foreign key (tenant_id, updated_by) references account (tenant_id, account_id)
);
create unique index email_live_name on email (tenant_id, name) where deleted_at is null;
create index email_newest on email (tenant_id, created_at desc, email_id desc) where deleted_at is null;
create index email_folder on email (tenant_id, folder_id, created_at desc, email_id desc) where folder_id is not null;
create index email_grams on email using gin (name_grams) with (fastupdate = off) where deleted_at is null;

-- No foreign key to email: its check would lock the asset's one row for every version that arrives, and an email is
-- never removed, only marked.
create table email_version (
  tenant_id bigint not null,
  email_id asset_id not null,
  contact_id uuid not null,
  -- Null: the asset's own.
  subject text,
  preheader text,
  html text not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, email_id, contact_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, contact_id)
);
create index email_version_of_email on email_version (tenant_id, email_id, created_at desc, contact_id desc);
create index email_version_of_contact on email_version (tenant_id, contact_id, created_at desc, email_id desc);
create index email_version_newest on email_version (tenant_id, created_at desc, email_id desc, contact_id desc);

-- Every arrival for an asset, refused ones too. The address is null once the person is erased.
create table email_activity (
  tenant_id bigint not null,
  email_id asset_id not null,
  activity_id bigint generated always as identity,
  occurred_at timestamptz(3) not null default now(),
  address text,
  outcome text not null check (outcome in ('stored', 'replaced', 'rejected', 'deleted')),
  reason text,
  primary key (tenant_id, email_id, activity_id)
);
create index email_activity_outcome on email_activity (tenant_id, email_id, outcome, activity_id desc);
create index email_activity_address on email_activity (tenant_id, address) where address is not null;

-- What the outbox transport kept. `for_address` is the contact that it was rendered for, who need not be who it is to.
create table outbox_message (
  tenant_id bigint not null,
  message_id text not null,
  message_no bigint generated always as identity,
  from_text text not null,
  to_address text not null,
  for_address text,
  reply_to text not null,
  subject text not null,
  html text not null,
  body_text text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, message_id)
);
create index outbox_message_newest on outbox_message (tenant_id, message_no desc);
create index outbox_message_to on outbox_message (tenant_id, to_address);
create index outbox_message_for on outbox_message (tenant_id, for_address) where for_address is not null;
