/** Tables and the types of their columns; created by the migrations. Times are milliseconds since 1970. */
export interface Schema {
  migrations: MigrationsTable;
  direct_channels: DirectChannelsTable;
  calendars: CalendarsTable;
  jobs: JobsTable;
}

/** Written by the query builder's migrator. */
interface MigrationsTable {
  /** Name and checksum: `0001-base@9f2c…`. */
  name: string;
  timestamp: string;
}

interface DirectChannelsTable {
  person: string;
  channel_id: string;
}

interface CalendarsTable {
  person: string;
  token: string;
}

interface JobsTable {
  name: string;
  /** Id of the process that holds the job. */
  holder: number | null;
}
