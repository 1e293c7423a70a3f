-- Reports show conversion for journeys that have a goal. Reading hundreds of definitions to find out would cost more than their figures.
alter table journey add column has_goal boolean generated always as (coalesce(definition ? 'goal', false)) stored;
