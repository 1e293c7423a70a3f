-- Reading people by more than their id: organizations are searched and sorted by name, imports are listed.

-- Name and id, case-folded: what a search looks in. Null until a chore has folded it, because only the service folds letters
-- the same in every locale; what is made or renamed from here on has it at once.
alter table organization add column search_text text;
create index organization_unfolded on organization (tenant_id, org_id) where search_text is null;
-- The first characters: an entry of an index has its limit, and whoever shares so many is told apart by the id.
create index organization_by_name on organization (tenant_id, (left(search_text, 100) collate "C"), org_id);

create index write_transaction_imports on write_transaction (tenant_id, seq) where kind = 'contact.import';
