-- How lists grow: their size by day, and who left lately. Who joined is with the members.

-- The first size that was seen on a day of UTC.
create table list_day (
  tenant_id bigint not null,
  list_id asset_id not null,
  day date not null,
  members bigint not null,
  primary key (tenant_id, list_id, day)
);
create index list_day_oldest on list_day (day);

-- The last time that a contact left a list. One that came back is still here.
create table list_departure (
  tenant_id bigint not null,
  list_id asset_id not null,
  contact_id uuid not null,
  left_at timestamptz(3) not null,
  primary key (tenant_id, list_id, contact_id)
);
create index list_departure_newest on list_departure (tenant_id, list_id, left_at desc, contact_id desc);
create index list_departure_contact on list_departure (tenant_id, contact_id);
create index list_departure_oldest on list_departure (left_at);
