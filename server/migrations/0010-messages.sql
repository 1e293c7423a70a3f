-- Messages: the ledger of what is sent and what came of it, suppressions, the health of sending, and what sending needs: keys, domains, servers, hooks.

-- A row is written before anything leaves, is the queue while it waits, and what everybody looks at afterwards.
-- No foreign keys: each check would lock the row of an email or a contact that thousands of messages share.
create table message (
  tenant_id bigint not null,
  message_id uuid not null,
  kind text not null check (kind in ('journey', 'transactional', 'direct', 'test')),
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'cancelled')),
  reason text,
  -- Null, and so are address and subject, once the person is erased.
  contact_id uuid,
  address text,
  email_id asset_id not null,
  subject text,
  version text check (version in ('default', 'personalized')),
  journey_id asset_id,
  enrolment_id uuid,
  step_id text,
  -- Of a test: whom it was rendered for, whoever it went to. Its subject may tell of that person.
  made_for uuid,
  -- How often the enrolment has been at that step: it may send at each visit, and once.
  visit integer,
  -- What a journey's words for this message are: {"data": …, "event": …, "webhook": …}. Null: none.
  words jsonb,
  queued_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  delivered_at timestamptz(3),
  first_opened_at timestamptz(3),
  first_clicked_at timestamptz(3),
  bounced_at timestamptz(3),
  -- Of the Message-ID: it stays the same however often the message is tried, also when the email's sender changes.
  sender_domain text,
  -- What was sent (message_content), and how many links it had.
  content_hash bytea,
  links integer,
  attempts smallint not null default 0,
  first_tried_at timestamptz(3),
  last_error text,
  -- Whoever sends it holds it until then, and renews that.
  lease_until timestamptz(3),
  lease uuid,
  primary key (tenant_id, message_id)
) with (fillfactor = 85);
-- The queue. What passes over a pause comes by itself: a paused tenant's mail must not be read to find it.
create index message_due on message (tenant_id, due_at, message_id) where state = 'queued' and kind <> 'transactional';
create index message_due_transactional on message (tenant_id, due_at, message_id)
  where state = 'queued' and kind = 'transactional';
create index message_leased on message (lease_until) where state = 'sending';
create index message_newest on message (tenant_id, queued_at desc, message_id desc);
create index message_of_contact on message (tenant_id, contact_id, queued_at desc, message_id desc) where contact_id is not null;
create index message_of_address on message (tenant_id, address, queued_at desc, message_id desc) where address is not null;
create index message_made_for on message (tenant_id, made_for) where made_for is not null;
create index message_of_email on message (tenant_id, email_id, queued_at desc, message_id desc);
create index message_of_journey on message (tenant_id, journey_id, queued_at desc, message_id desc) where journey_id is not null;
create unique index message_of_visit on message (tenant_id, enrolment_id, step_id, visit) where enrolment_id is not null;
create index message_in_state on message (tenant_id, state, queued_at desc, message_id desc)
  where state not in ('sent', 'delivered');

-- Every attempt to hand a message to a mail server.
create table message_attempt (
  tenant_id bigint not null,
  message_id uuid not null,
  attempt_no bigint generated always as identity,
  at timestamptz(3) not null default now(),
  -- What the server said, or what went wrong; never an address.
  reply text not null,
  outcome text not null check (outcome in ('sent', 'refused', 'later', 'failed')),
  primary key (tenant_id, message_id, attempt_no)
);

-- Texts that were sent, each once: an email's own for all who got that edit, and versions. For people who look at a message later.
create table message_content (
  tenant_id bigint not null,
  content_hash bytea not null,
  is_template boolean not null,
  subject text not null,
  preheader text,
  html text not null,
  stored_at timestamptz(3) not null default now(),
  primary key (tenant_id, content_hash)
);

-- What happened to a message beside its attempts. Opens and clicks are here one by one.
create table message_event (
  tenant_id bigint not null,
  message_id uuid not null,
  event_no bigint generated always as identity,
  at timestamptz(3) not null,
  what text not null,
  detail text,
  -- Of a click: which link of the message.
  link_no integer,
  -- Of an open or a click, and by which version of the rules.
  is_machine boolean,
  rules smallint,
  -- By its agent alone: that holds whatever others do.
  is_scanner boolean not null default false,
  -- The place of what it is in the contact's activity, to be found again.
  activity_no bigint,
  primary key (tenant_id, message_id, event_no)
);

-- Addresses that get no mail. The hash stays when the person is erased; salted, so that nobody looks it up in a table.
create table suppression (
  tenant_id bigint not null,
  address_hash bytea not null,
  address text,
  reason text not null check (reason in ('unsubscribed', 'bounced', 'complained', 'manual')),
  created_at timestamptz(3) not null default now(),
  suppression_no bigint generated always as identity,
  primary key (tenant_id, address_hash)
);
create index suppression_newest on suppression (tenant_id, suppression_no desc) where address is not null;

-- How a tenant's mail does, by parts of an hour; only the worker that has the tenant's lock writes it.
create table sending_tally (
  tenant_id bigint not null,
  since timestamptz(3) not null,
  sent bigint not null default 0,
  delivered bigint not null default 0,
  hard_bounced bigint not null default 0,
  complained bigint not null default 0,
  primary key (tenant_id, since)
) with (fillfactor = 75);
-- Why a tenant's mail waits, and since when. No row: it does not.
create table sending_pause (
  tenant_id bigint primary key,
  reason text not null,
  since timestamptz(3) not null default now()
);
-- From here on figures count again: whoever resumes does not stop at once for what was before.
create table sending_resumption (
  tenant_id bigint primary key,
  at timestamptz(3) not null default now()
);

-- Secrets of a tenant, encrypted: `tracking` signs links. `salt` is not one; it hashes suppressed addresses.
create table tenant_secret (
  tenant_id bigint not null,
  purpose text not null,
  sealed bytea not null,
  primary key (tenant_id, purpose)
);
create table tenant_salt (
  tenant_id bigint primary key,
  salt bytea not null
);

-- What a domain's mail is signed with, and what DNS said of it last.
alter table sending_domain
  add column dkim_selector text,
  add column dkim_public text,
  add column dkim_sealed bytea,
  add column records jsonb,
  add column checked_at timestamptz(3),
  add column verified_at timestamptz(3);

-- A tenant's own mail server.
create table mail_transport (
  tenant_id bigint primary key,
  -- The address with its password.
  sealed_url bytea not null,
  rate integer,
  max_connections integer,
  updated_at timestamptz(3) not null default now()
);

-- Where providers report. Their address ends in a token, of which only the hash is here; what checks a signature is encrypted.
create table mail_hook (
  tenant_id bigint not null,
  hook_id asset_id not null,
  token_hash bytea not null,
  provider text not null check (provider in ('generic', 'postmark', 'ses', 'sendgrid', 'mailgun')),
  sealed_key bytea,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, hook_id),
  unique (tenant_id, token_hash)
);

-- From here on `unsubscribed` of a contact says whether its address is suppressed: those that said so before are.
insert into tenant_salt (tenant_id, salt)
select distinct tenant_id, decode(replace(gen_random_uuid()::text, '-', ''), 'hex') from contact where properties ? 'unsubscribed';
with put as (
  insert into suppression (tenant_id, address_hash, address, reason)
  select c.tenant_id, sha256(s.salt || convert_to(c.email, 'UTF8')), c.email, 'unsubscribed'
  from contact c join tenant_salt s using (tenant_id) where c.properties -> 'unsubscribed' = 'true'
  returning tenant_id
)
insert into counter_delta (tenant_id, counter, delta) select tenant_id, 'suppressions', count(*) from put group by tenant_id;
update contact set properties = properties - 'unsubscribed'
where properties ? 'unsubscribed' and properties -> 'unsubscribed' <> 'true';
