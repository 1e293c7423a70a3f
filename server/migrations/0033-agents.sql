-- Agents: tokens that apps get for /mcp, what agents plan, and drafts of journeys that are live.

-- A token for /mcp works there and nowhere else.
alter table access_token add column is_for_mcp boolean not null default false;
alter table access_token drop constraint access_token_scopes_check;
alter table access_token add constraint access_token_scopes_check check (
  case when is_for_mcp then scopes <@ array['read', 'people', 'write', 'send']
  else scopes <@ array['READ', 'WRITE'] or scopes = array['INGEST'] end);

-- What an agent wants to do, as it was shown: nothing of it is done before a person has seen it.
create table agent_plan (
  tenant_id bigint not null references tenant,
  plan_id bytea not null check (octet_length(plan_id) = 12),
  account_id bigint not null,
  -- The app that asked. Null: a personal token.
  client_id text,
  action text not null,
  arguments jsonb not null,
  -- The contacts that the arguments name: 32 hex digits each. The plan goes when one of them is erased.
  contact_ids text[] not null default '{}',
  sentence text not null,
  reach integer not null check (reach >= 0),
  -- What it was made from, such as the revision of a journey. Applied only while that is the same.
  basis jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- Until then one node applies it.
  leased_until timestamptz(3),
  applied_at timestamptz(3),
  outcome jsonb,
  primary key (tenant_id, plan_id),
  foreign key (tenant_id, account_id) references account (tenant_id, account_id)
);
create index agent_plan_age on agent_plan (created_at);
create index agent_plan_contacts on agent_plan using gin (contact_ids);

-- What an agent made of a live journey, until somebody publishes it.
create table journey_draft (
  tenant_id bigint not null references tenant,
  journey_id bytea not null check (octet_length(journey_id) = 12),
  definition jsonb not null,
  revision integer not null default 1,
  saved_by bigint not null,
  saved_at timestamptz(3) not null default now(),
  primary key (tenant_id, journey_id),
  foreign key (tenant_id, saved_by) references account (tenant_id, account_id)
);
