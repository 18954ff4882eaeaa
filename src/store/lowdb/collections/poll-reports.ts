import type { PollReport, PollReports, Resource } from "../../../ports/store.ts";

/** In memory: the one process that may use the files is the one that polls. */
export class LowdbPollReports implements PollReports {
  #last: Readonly<Record<Resource, PollReport | null>> = { splits: null, articles: null };

  async write(report: PollReport): Promise<void> {
    this.#last = { ...this.#last, [report.resource]: report };
  }

  async read(): Promise<Readonly<Record<Resource, PollReport | null>>> {
    return this.#last;
  }
}
