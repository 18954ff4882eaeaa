/** Purged people are stored as keyed hashes. The function that saves attempts compares the platform, with which a mark begins. */
export const PURGE_KEY = `
create table purge_key (
  is_only_row bool primary key default true check (is_only_row),
  key bytea not null
);
insert into purge_key (key) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

delete from purged_people;

-- The mark of a person in purged_people: the platform and a keyed hash.
create function purge_mark(person text) returns text language sql stable as $$
  select split_part(person, ':', 1) || ':' || encode(sha256(key || convert_to(person, 'UTF8')), 'hex') from purge_key
$$;
`;
