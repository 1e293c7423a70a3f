-- How sure the winner of a split was, when it was chosen. Of those chosen before, nothing is known.
alter table split_winner
  add column is_significant boolean,
  add column against text,
  add column difference float8,
  add column interval_low float8,
  add column interval_high float8;
