/** The difference between the clock of the process that wrote the times and the shared time, in milliseconds. */
export const CLOCK_OFFSETS = `
alter table poll_reports add column clock_offset bigint not null default 0;
alter table source_statuses add column clock_offset bigint not null default 0;
`;
