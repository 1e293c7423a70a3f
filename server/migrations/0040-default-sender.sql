-- New emails begin with the sender of the workspace.

-- {fromEmail: {email, name} or null, replyTo: address or null}; null: neither.
alter table tenant add column default_sender jsonb;
