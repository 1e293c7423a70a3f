-- Which kinds of news there are is for the program to say: with a CHECK, each new one would need a migration. Nothing but the program writes them.
alter table journey_news drop constraint journey_news_kind_check;
