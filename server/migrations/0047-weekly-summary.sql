-- Mail with the figures of the week, for people who asked for it. Without a row there is none.
create table weekly_summary (
  tenant_id bigint not null,
  account_id bigint not null,
  -- Whose Monday morning.
  time_zone text not null,
  -- When the next one leaves. It moves on in the transaction that queues that mail: so each leaves once.
  next_at timestamptz(3) not null,
  primary key (tenant_id, account_id),
  foreign key (tenant_id, account_id) references account (tenant_id, account_id) on delete cascade
);
create index weekly_summary_due on weekly_summary (next_at, tenant_id, account_id);
