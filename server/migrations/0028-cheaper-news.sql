-- News were the dearest part of answering an event: three indexes, one of them in the random order of contacts. They are read in the order of their
-- journey, so that is the key now. An event that can only start an enrolment is marked: no enrolment of the contact has to wait for it, so
-- the index by contact leaves it out.
alter table journey_news add column is_entry boolean not null default false;
alter table journey_news alter column data type json using data::json;
alter table journey_news drop constraint journey_news_pkey;
alter table journey_news add primary key (tenant_id, journey_no, news_no);
drop index journey_news_of;
drop index journey_news_of_contact;
create index journey_news_of_contact on journey_news (tenant_id, contact_id) where not is_entry;

-- Room on each page for the next version of a row, which then needs no new entries in indexes: both change more often than they come.
alter table contact set (fillfactor = 90);
alter table event_count set (fillfactor = 80);
