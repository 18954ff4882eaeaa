/** Processes that use the database, the jobs that they hold, and the correction of the time that they share. */
export const PROCESSES = `
create table processes (
  id bigint generated always as identity primary key,
  -- Description of the process for the errors and logs of other processes.
  holder text not null,
  -- Incremented by each heartbeat.
  beat bigint not null default 0
) with (fillfactor = 50);

create table jobs (
  name text collate "C" primary key,
  -- No action: release_process releases the jobs and claims before it deletes the row.
  holder bigint references processes (id)
);

-- Shared time: the clock of the database plus the correction, which is changed when the clock is set.
create table shared_time (
  is_only_row bool primary key default true check (is_only_row),
  correction_ms bigint not null default 0,
  -- Number of changes.
  changes bigint not null default 0
);
insert into shared_time default values;

-- Releases everything that a process holds, and removes it; false if it is gone, or its heart has beaten since.
create function remove_process(gone bigint, last_beat bigint) returns bool language plpgsql as $$
begin
  perform from processes where id = gone and (last_beat is null or beat = last_beat) for update;
  if not found then
    return false;
  end if;
  update jobs set holder = null where holder = gone;
  delete from processes where id = gone;
  perform pg_notify('splitwatch', 'jobs ');
  return true;
end
$$;
`;
