-- People who sign in, the apps that they let in, and an account of what was done: sessions, second factors, single sign-on, OAuth, audit.

-- A human being, in one workspace or in several. Belongs to no tenant: accounts do.
create table person (
  person_id bigint generated always as identity primary key,
  email text not null,
  -- In lower case. Who signs in is found by it.
  email_folded text not null unique,
  name text not null,
  -- argon2id, as a PHC string. Null: none was set, and no password fits.
  password_hash text,
  -- Sealed. Counts from `totp_since` on; before that somebody is still trying their app.
  totp_secret bytea,
  totp_since timestamptz(3),
  -- The 30 seconds whose code was used last: a code serves once.
  totp_step bigint,
  -- When they set a password by a link that was mailed to the address. Null: somebody else may have taken it, by an invitation of their own.
  proven_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- Codes for whoever lost the second factor. Each serves once.
create table recovery_code (
  person_id bigint not null references person on delete cascade,
  code_hash bytea not null,
  used_at timestamptz(3),
  primary key (person_id, code_hash)
);

-- Those from before belong to nobody: programs act for them. They may do what they could.
alter table account
  add column role text not null default 'admin' check (role in ('admin', 'member', 'viewer')),
  add column person_id bigint references person,
  add column deactivated_at timestamptz(3),
  -- The identity provider of the workspace brought them. What others know of the address opens nothing here until it is proven.
  add column is_by_sso boolean not null default false;
create unique index account_person on account (tenant_id, person_id) where person_id is not null;
create index account_of_person on account (person_id) where person_id is not null;

create table invitation (
  tenant_id bigint not null references tenant,
  invitation_id bigint generated always as identity,
  email text not null,
  email_folded text not null,
  role text not null check (role in ('admin', 'member', 'viewer')),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  -- Null: an operator.
  invited_by bigint,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  -- Who came of it.
  account_id bigint,
  primary key (tenant_id, invitation_id),
  foreign key (tenant_id, account_id) references account (tenant_id, account_id)
);
create index invitation_secret on invitation (secret_hash);
create index invitation_open on invitation (email_folded) where accepted_at is null and revoked_at is null;
create index invitation_newest on invitation (tenant_id, invitation_id desc);

-- A link that signs in once, or lets somebody set a new password.
create table one_time_link (
  link_hash bytea primary key check (octet_length(link_hash) = 32),
  kind text not null check (kind in ('sign-in', 'reset')),
  person_id bigint not null references person on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index one_time_link_of_person on one_time_link (person_id);

-- A browser in which somebody is signed in. The cookie's SHA-256 finds it.
create table session (
  session_hash bytea primary key check (octet_length(session_hash) = 32),
  session_id bigint generated always as identity unique,
  person_id bigint not null references person on delete cascade,
  -- Where they are now. Null: in none yet.
  in_tenant_id bigint references tenant,
  -- Signed in by this workspace's identity provider, which speaks for that workspace alone. Null: by password or link.
  sso_tenant_id bigint references tenant,
  sso_provider_id bigint,
  -- Whether a second factor was shown.
  is_strong boolean not null default false,
  address text,
  agent text,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index session_of_person on session (person_id);
create index session_age on session (expires_at);

-- Wrong passwords and codes, and registrations of clients, by what they are counted under: an address, an email, a person.
create table guess (
  guess_key bytea primary key,
  tries integer not null,
  since timestamptz(3) not null default now()
);
create index guess_age on guess (since);

-- Mail about accounts that waits to leave: invitations and resets. The link is in the sealed part.
create table account_mail (
  tenant_id bigint not null references tenant,
  mail_id uuid not null,
  address text not null,
  sealed bytea not null,
  queued_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  primary key (tenant_id, mail_id)
);
create index account_mail_due on account_mail (due_at, tenant_id);

-- Single sign-on of a workspace. It speaks for that workspace, and for addresses of its domains.
create table identity_provider (
  tenant_id bigint not null references tenant,
  provider_id bigint generated always as identity,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Sealed. Null: a public client.
  client_secret bytea,
  domains text[] not null,
  -- People of its domains enter this workspace in no other way.
  is_required boolean not null default false,
  -- What somebody becomes who was not invited. Null: nothing, they are turned away.
  joins_as text check (joins_as in ('admin', 'member', 'viewer')),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, provider_id)
);
create index identity_provider_domains on identity_provider using gin (domains);

-- Who is who there.
create table identity (
  tenant_id bigint not null,
  provider_id bigint not null,
  subject text not null,
  account_id bigint not null,
  primary key (tenant_id, provider_id, subject),
  foreign key (tenant_id, provider_id) references identity_provider on delete cascade,
  foreign key (tenant_id, account_id) references account (tenant_id, account_id)
);

-- Somebody who was sent to an identity provider and is not back yet.
create table sso_attempt (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  tenant_id bigint not null,
  provider_id bigint not null,
  -- Sealed: nonce, verifier, and where they wanted to go.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);
create index sso_attempt_age on sso_attempt (expires_at);

-- One table of bearer tokens, however they came to be: personal ones, those of apps (OAuth), and those of signed-in browsers.
alter table access_token
  add column kind text not null default 'personal' check (kind in ('personal', 'app', 'session')),
  -- Null: from anywhere.
  add column allowed_addresses text[],
  -- Of an app's: whose grant it is, and what the authorization server keeps of it.
  add column grant_hash bytea,
  add column client_id text,
  add column payload jsonb,
  -- Of a browser's.
  add column session_id bigint;
alter table access_token drop constraint access_token_scopes_check;
alter table access_token add constraint access_token_scopes_check
  check (scopes <@ array['READ', 'WRITE'] or scopes = array['INGEST']);
create index access_token_of_account on access_token (tenant_id, account_id);
create index access_token_of_grant on access_token (grant_hash) where grant_hash is not null;
create index access_token_of_session on access_token (session_id) where session_id is not null;
create index access_token_age on access_token (expires_at) where kind <> 'personal';

-- What the authorization server keeps, access tokens apart: clients, grants, codes, refresh tokens, its own sessions. Found by the
-- SHA-256 of the id, because the id of a code or a token is the secret itself.
create table oauth_record (
  kind text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_hash bytea,
  uid_hash bytea,
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  -- Of a grant: who gave it, to whom, and when it was used last.
  of_tenant_id bigint,
  account_id bigint,
  client_id text,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (kind, id_hash)
);
create index oauth_record_grant on oauth_record (grant_hash) where grant_hash is not null;
create index oauth_record_uid on oauth_record (uid_hash) where uid_hash is not null;
create index oauth_record_of_account on oauth_record (of_tenant_id, account_id) where kind = 'Grant';
create index oauth_record_age on oauth_record (expires_at) where expires_at is not null;

-- Keys of the authorization server: `sign` for identity tokens, `cookie` for its cookies. Sealed.
create table oauth_key (
  key_id text primary key,
  purpose text not null check (purpose in ('sign', 'cookie')),
  sealed bytea not null,
  created_at timestamptz(3) not null default now()
);

-- What was done, in order, for good. Each entry's hash covers the one before, so that nothing can be changed or left out unnoticed.
create table audit_entry (
  tenant_id bigint not null references tenant,
  entry_no bigint not null,
  at timestamptz(3) not null,
  -- Null: an operator, or nobody who was known.
  account_id bigint,
  action text not null,
  -- What it was done to, such as a number or an id.
  subject text,
  -- JSON, kept letter by letter: the hash is of this text.
  detail text not null,
  address text,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tenant_id, entry_no)
);
create index audit_entry_action on audit_entry (tenant_id, action, entry_no desc);
-- The last entry of each tenant. Whoever appends holds it.
create table audit_head (
  tenant_id bigint primary key references tenant,
  entry_no bigint not null,
  hash bytea not null
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entry_is_final before update or delete on audit_entry for each row execute function refuse_change();
create trigger audit_entry_stays before truncate on audit_entry for each statement execute function refuse_change();

-- Whoever looks after a workspace may name a mail server too, but none inside the network of this installation: operators alone may.
alter table mail_transport add column is_guarded boolean not null default false;
