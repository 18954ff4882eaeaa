import type { Destination } from "../../src/domain/alert/destination.ts";
import type { Store } from "../../src/ports/store.ts";

/** Bodies of the destination's postings as JSON, oldest first. */
export async function postedTexts({ postings }: Pick<Store, "postings">, to: Destination): Promise<readonly string[]> {
  const listed = await postings.list({ to: [to], after: 0, limit: 100 });
  return listed.map(({ body }) => JSON.stringify(body));
}
