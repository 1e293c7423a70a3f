-- The ground floor: tenants with accounts, tokens and sending domains; folders; lists; counters; idempotency keys.

create domain asset_id as bytea check (octet_length(value) = 12);

create table tenant (
  tenant_id bigint generated always as identity primary key,
  name text not null,
  rate_limit integer not null default 1000 check (rate_limit between 1 and 1000000),
  created_at timestamptz(3) not null default now()
);

create table account (
  tenant_id bigint not null references tenant,
  account_id bigint generated always as identity,
  name text not null,
  email text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, account_id)
);

-- Global on purpose: a request arrives with a token and no tenant. Only the SHA-256 of a token is kept.
create table access_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  tenant_id bigint not null,
  token_id bigint generated always as identity,
  account_id bigint not null,
  name text not null,
  scopes text[] not null check (scopes <@ array['READ', 'WRITE']),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  unique (tenant_id, token_id),
  foreign key (tenant_id, account_id) references account (tenant_id, account_id)
);

create table sending_domain (
  tenant_id bigint not null references tenant,
  domain text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, domain)
);

-- The sum of its deltas is the counter: many writers, no hot row.
create table counter_delta (
  tenant_id bigint not null references tenant,
  counter text not null,
  delta_id bigint generated always as identity,
  delta bigint not null,
  primary key (tenant_id, counter, delta_id) include (delta)
);

create table idempotency_key (
  tenant_id bigint not null references tenant,
  route text not null,
  key text not null,
  body_hash bytea not null,
  response text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, route, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- name_folded and name_grams serve substring search in any locale, see lib/grams.ts.
create table folder (
  tenant_id bigint not null references tenant,
  folder_id asset_id not null,
  name text not null,
  name_folded text not null,
  name_grams integer[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, folder_id),
  constraint folder_name unique (tenant_id, name)
);
create index folder_newest on folder (tenant_id, created_at desc, folder_id desc);
create index folder_grams on folder using gin (name_grams) with (fastupdate = off);

create table static_list (
  tenant_id bigint not null references tenant,
  list_id asset_id not null,
  name text not null,
  name_folded text not null,
  name_grams integer[] not null,
  folder_id asset_id,
  flow jsonb not null default '{}',
  created_by bigint not null,
  updated_by bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, list_id),
  foreign key (tenant_id, folder_id) references folder (tenant_id, folder_id) on delete set null (folder_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id),
  foreign key (tenant_id, updated_by) references account (tenant_id, account_id)
);
create unique index static_list_live_name on static_list (tenant_id, name) where deleted_at is null;
create index static_list_newest on static_list (tenant_id, created_at desc, list_id desc) where deleted_at is null;
create index static_list_folder on static_list (tenant_id, folder_id) where folder_id is not null;
create index static_list_grams on static_list using gin (name_grams) with (fastupdate = off) where deleted_at is null;

create table dynamic_list (
  tenant_id bigint not null references tenant,
  list_id asset_id not null,
  name text not null,
  name_folded text not null,
  name_grams integer[] not null,
  description text,
  list_type text not null default 'dynamic_list_asset' check (list_type in ('dynamic_list_asset', 'campaign_audience')),
  query_context text not null default 'person' check (query_context in ('person', 'person_org')),
  is_valid_query boolean not null default false,
  folder_id asset_id,
  created_by bigint not null,
  updated_by bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (tenant_id, list_id),
  foreign key (tenant_id, folder_id) references folder (tenant_id, folder_id) on delete set null (folder_id),
  foreign key (tenant_id, created_by) references account (tenant_id, account_id),
  foreign key (tenant_id, updated_by) references account (tenant_id, account_id)
);
create index dynamic_list_newest on dynamic_list (tenant_id, created_at desc, list_id desc) where deleted_at is null;
create index dynamic_list_folder on dynamic_list (tenant_id, folder_id) where folder_id is not null;
create index dynamic_list_grams on dynamic_list using gin (name_grams) with (fastupdate = off) where deleted_at is null;
