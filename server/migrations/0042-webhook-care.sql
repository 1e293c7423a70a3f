-- Webhooks are disabled and enabled, and get new secrets: those before sign for a day more, so that receivers can switch.
alter table webhook drop constraint webhook_state_check;
alter table webhook add constraint webhook_state_check check (state in ('active', 'failing', 'disabled'));
-- When it last got a new secret.
alter table webhook add column rotated_at timestamptz(3);
create table webhook_past_secret (
  tenant_id bigint not null,
  webhook_id asset_id not null,
  secret_id asset_id not null,
  sealed bytea not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, webhook_id, secret_id),
  foreign key (tenant_id, webhook_id) references webhook (tenant_id, webhook_id) on delete cascade
);
create index webhook_past_secret_old on webhook_past_secret (expires_at);
