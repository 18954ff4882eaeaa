/** Roles of the processes. */
export const ROLES = `
-- Null: the process has an earlier version, or is a command such as rebuild.
alter table processes add column roles text[];
`;
