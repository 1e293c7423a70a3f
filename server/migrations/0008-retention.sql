-- The outbox and the activity of emails grow with every message: a chore finds what is old in them.
create index outbox_message_age on outbox_message (created_at);
create index email_activity_age on email_activity (occurred_at);
