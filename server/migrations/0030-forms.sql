-- Forms by which people subscribe themselves, what they sent, the mails that ask them to confirm, and proofs of work that were used.

create table form (
  tenant_id bigint not null references tenant,
  form_id asset_id not null,
  name text not null,
  name_folded text not null,
  -- [{property, label, type, required, options}]
  fields jsonb not null,
  -- In hex, in the author's order. A topic cannot be deleted while a live form names it; a list can, and is passed over then.
  topic_ids text[] not null,
  list_id asset_id,
  consent_text text not null,
  -- {message} or {url}; null: a page of ours.
  success jsonb,
  allowed_origins text[] not null,
  state text not null check (state in ('open', 'closed')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The row stays: consent logs tell of it, and links that were mailed still confirm.
  deleted_at timestamptz(3),
  primary key (tenant_id, form_id)
);
create index form_newest on form (tenant_id, created_at desc, form_id desc) where deleted_at is null;

-- What was sent by forms. It is stored when it comes, with what the form asked for then, and applied by the tenant's write queue.
create table form_submission (
  tenant_id bigint not null,
  submission_id uuid not null,
  form_id asset_id not null,
  at timestamptz(3) not null,
  outcome text not null check (outcome in ('accepted', 'pending', 'confirmed', 'refused')),
  reason text,
  -- False: it waits in the queue.
  is_applied boolean not null,
  -- These three are emptied when the person is erased.
  contact_id uuid,
  address text,
  values jsonb not null,
  -- Which of the values is the address.
  email_field text not null,
  -- What was agreed to.
  text text not null,
  topic_ids text[] not null,
  list_id asset_id,
  language text not null,
  -- It came without a proof of work: whatever the topics are, a mail asks.
  by_mail boolean not null,
  -- The mail that asks, for which topics, and how long its link holds.
  message_id uuid,
  asked_topic_ids text[],
  link_until timestamptz(3),
  primary key (tenant_id, submission_id)
);
create index form_submission_newest on form_submission (tenant_id, form_id, at desc, submission_id desc);
create index form_submission_of_contact on form_submission (tenant_id, contact_id) where contact_id is not null;
create index form_submission_of_address on form_submission (tenant_id, address) where address is not null;
create unique index form_submission_of_message on form_submission (tenant_id, message_id) where message_id is not null;

-- Mails that asked an address about a topic, for the bound of a day. By hash: the bound holds after an erasure, too.
create table form_asking (
  tenant_id bigint not null,
  address_hash bytea not null,
  topic_id asset_id not null,
  at timestamptz(3) not null,
  submission_id uuid not null,
  primary key (tenant_id, address_hash, topic_id, at, submission_id)
);
create index form_asking_old on form_asking (at);

-- Proofs of work that were used, until they would be too old anyway.
create table form_proof (
  tenant_id bigint not null,
  proof bytea not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, proof)
);
create index form_proof_old on form_proof (expires_at);
