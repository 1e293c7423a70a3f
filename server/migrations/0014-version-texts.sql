-- Texts that were made for one person leave after a while, where an operator says so: the oldest are found by their age.
create index message_content_age on message_content (stored_at) where not is_template;
