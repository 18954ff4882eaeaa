/**
 * Rows that transactions lock to exclude others. Unlike an advisory lock, only a user with rights on the table can take such a lock:
 * every user who may connect can take any advisory lock, and pg_locks shows the keys of those in use to all users.
 */
export const LOCKS = `
create table locks (number int primary key);
insert into locks select generate_series(0, 63);
`;
