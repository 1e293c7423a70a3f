-- Online: who got an email, opened it or clicked in it is read from an index, however many others did not. A first open or click moves
-- the row in all indexes of messages; it happens once for a message, as sending it does.
create index concurrently if not exists message_of_email_sent on message (tenant_id, email_id, sent_at desc, message_id desc)
  where sent_at is not null;
create index concurrently if not exists message_of_email_opened on message (tenant_id, email_id, first_opened_at desc, message_id desc)
  where first_opened_at is not null;
create index concurrently if not exists message_of_email_clicked on message (tenant_id, email_id, first_clicked_at desc, message_id desc)
  where first_clicked_at is not null;
-- States that a message ends in; what is queued or with a sender is in message_in_state.
create index concurrently if not exists message_of_email_unsent on message (tenant_id, email_id, state, queued_at desc, message_id desc)
  where state in ('bounced', 'failed', 'skipped', 'cancelled');
