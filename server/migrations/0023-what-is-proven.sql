-- What people and workspaces have to prove before it counts: an address by mail, a domain by DNS; and whose end a token shares.

-- Of an invitation that was mailed: the SHA-256 of the link in the mail, which is not the one that whoever invited was shown. Who comes by
-- it has the mailbox.
alter table invitation add column mail_hash bytea check (octet_length(mail_hash) = 32);
create index invitation_mail on invitation (mail_hash) where mail_hash is not null;

-- The token that one was made with: it ends with that.
alter table access_token add column made_with bigint;
create index access_token_made_with on access_token (tenant_id, made_with) where made_with is not null;

-- A domain that a workspace names for single sign-on, and the word that DNS must have before people are led there.
create table sso_domain (
  tenant_id bigint not null references tenant,
  domain text not null,
  word text not null,
  -- What the last look saw, and what DNS said when it last said anything.
  state text not null default 'unknown' check (state in ('unknown', 'missing', 'wrong', 'found')),
  detail text,
  checked_at timestamptz(3),
  proven_at timestamptz(3),
  primary key (tenant_id, domain)
);
create index sso_domain_proven on sso_domain (domain) where proven_at is not null;
insert into sso_domain (tenant_id, domain, word)
select distinct tenant_id, unnest(domains), '' from identity_provider;
update sso_domain set word = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');

-- People who are on their way to let an app in: the oldest go when there are too many.
create index oauth_record_interaction on oauth_record (created_at desc) where kind = 'Interaction';

-- Values of headers that webhook steps of journeys send, sealed. Definitions and calls that wait name them by these ids.
create table webhook_header (
  tenant_id bigint not null references tenant,
  header_id asset_id not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, header_id)
);
