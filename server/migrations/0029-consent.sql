-- Consent: topics, what contacts said of each and how, and what outlives an erasure. Emails, messages and activity name the topic they are about.

create table topic (
  tenant_id bigint not null references tenant,
  topic_id asset_id not null,
  -- Neither of these two ever changes.
  key text not null,
  by_default text not null check (by_default in ('subscribed', 'unsubscribed')),
  name text not null,
  name_folded text not null,
  description text,
  visibility text not null check (visibility in ('public', 'private')),
  double_opt_in boolean not null,
  confirm_email_id asset_id,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The row stays: consent logs tell of it. What contacts said of it is removed in steps.
  deleted_at timestamptz(3),
  is_swept boolean not null default false,
  primary key (tenant_id, topic_id)
);
create unique index topic_live_name on topic (tenant_id, name_folded) where deleted_at is null;
create unique index topic_live_key on topic (tenant_id, key) where deleted_at is null;
create index topic_newest on topic (tenant_id, created_at desc, topic_id desc) where deleted_at is null;
create index topic_to_sweep on topic (deleted_at) where deleted_at is not null and not is_swept;
create index topic_confirm_email on topic (tenant_id, confirm_email_id) where confirm_email_id is not null and deleted_at is null;

-- What contacts said; a contact without a row is what the topic is by default. No foreign key to topic: each check would lock a row that
-- thousands of contacts share.
create table contact_topic (
  tenant_id bigint not null,
  contact_id uuid not null,
  topic_id asset_id not null,
  state text not null check (state in ('subscribed', 'unsubscribed', 'pending')),
  since timestamptz(3) not null,
  source text not null,
  form_id asset_id,
  -- Of a pending one: how the contact had unsubscribed before. That still stands until the answer.
  refused_by text,
  primary key (tenant_id, contact_id, topic_id),
  foreign key (tenant_id, contact_id) references contact (tenant_id, contact_id)
) with (fillfactor = 90);
create index contact_topic_of_topic on contact_topic (tenant_id, topic_id, state, contact_id);

-- Every change, for good; it goes when the contact is erased.
create table consent_log (
  tenant_id bigint not null,
  contact_id uuid not null,
  log_no bigint generated always as identity,
  at timestamptz(3) not null,
  topic_id asset_id not null,
  state text not null check (state in ('subscribed', 'unsubscribed', 'pending')),
  source text not null,
  form_id asset_id,
  text text,
  account_id bigint,
  primary key (tenant_id, contact_id, log_no),
  foreign key (tenant_id, contact_id) references contact (tenant_id, contact_id)
);

-- Of people who were erased: a salted hash of the address, as suppressions have it, and what it had unsubscribed from. Whoever brings the
-- address back finds it unsubscribed.
create table topic_refusal (
  tenant_id bigint not null,
  address_hash bytea not null,
  topic_id asset_id not null,
  since timestamptz(3) not null,
  source text not null,
  primary key (tenant_id, address_hash, topic_id)
);

alter table email add column topic_id asset_id;
create index email_of_topic on email (tenant_id, topic_id) where topic_id is not null and deleted_at is null;
alter table email_revision add column topic_id asset_id;

-- What it left with, whatever the email has now.
alter table message add column topic_id asset_id;
-- Of `unsubscribed`: from which topic. Null: from everything.
alter table marketing_activity add column topic_id asset_id;
