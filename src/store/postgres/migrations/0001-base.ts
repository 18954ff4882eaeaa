/** Direct channels and calendars. */
export const BASE = `
create table direct_channels (
  person text collate "C" primary key,
  channel_id text not null
);

create table calendars (
  person text collate "C" primary key,
  token text collate "C" not null unique
);
`;
