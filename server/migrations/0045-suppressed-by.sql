-- Why says who suppressed an address by hand.

-- The account; null: it came about by itself, or before this column.
alter table suppression add column suppressed_by bigint;
