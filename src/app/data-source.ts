import type { DataSourceInfo } from "../commands/context.ts";
import type { ClientLimits, SplitsClient } from "../data-service/client/client.ts";
import type { DataService } from "../data-service/server/data-service.ts";
import type { Catalog } from "../data-service/server/served-catalog.ts";
import type { RowKey } from "../domain/split/split.ts";
import type { Polling } from "../ports/data-source.ts";
import type { LiveSources } from "../sources/live/live-sources.ts";

/** Source of the splits at startup. The last two apply until a live source can be read. */
export type DataSourceKind = "external" | "folder" | "sample" | "live" | "sample-until-live" | "empty-until-live";

/** The data service that is polled. Its id, name and data change, for example when live data replaces the sample. */
export interface DataSource extends DataSourceInfo {
  readonly kind: DataSourceKind;
  /** The embedded data service and its rows; null if the data service is external. */
  readonly service: DataService | null;
  readonly catalog: Catalog | null;
  /** Also while there is no data of these sources yet; null if the settings select other data. */
  readonly live: LiveSources | null;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  backfilledRows(): ReadonlySet<RowKey>;
  /** Opens a client of the service for the current data. `address`: this process's own server. */
  connect(address: string, limits: Partial<ClientLimits>): SplitsClient;
  /** Lets the source switch to other data, and adopt what other processes changed in the store. */
  start(polling: Polling): void;
  close(): Promise<void>;
}
