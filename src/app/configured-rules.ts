import { destinationKey } from "../domain/alert/destination.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { groupBy, inPages } from "../lib/collections.ts";
import { destinationFilter, type PageRequest } from "../ports/inspection.ts";
import { PAGE_SIZE, type Store } from "../ports/store.ts";

/** Returns the store with the rules of the configuration, which are not part of the state. Their destinations have no other rules. */
export function withConfiguredRules(store: Store, configured: readonly Rule[]): Store {
  if (configured.length === 0) return store;
  const stored = store.rules;
  const byDestination = groupBy(configured, ({ destination }) => destinationKey(destination));
  const destinations = [...byDestination.values()].flatMap(([first]) => first?.destination ?? []);
  const rules: Store["rules"] = {
    async *candidates(events) {
      yield* stored.candidates(events);
      yield* inPages(configured, PAGE_SIZE);
    },
    at: async (destination) => byDestination.get(destinationKey(destination)) ?? stored.at(destination),
    destinations: async (platform, idPrefix = "") => [
      ...(await stored.destinations(platform, idPrefix)),
      ...destinations.filter((one) => one.platform === platform && one.id.startsWith(idPrefix)),
    ],
    count: async () => (await stored.count()) + configured.length,
    countCreatedBy: (person) => stored.countCreatedBy(person),
    add: (draft, max) => stored.add(draft, max),
    replace: (number, draft) => stored.replace(number, draft),
    remove: (destination, numbers) => stored.remove(destination, numbers),
  };
  const { inspection } = store;
  return {
    ...store,
    rules,
    inspection: {
      messages: (request) => inspection.messages(request),
      queues: (request) => inspection.queues(request),
      processes: () => inspection.processes(),
      async channelRules(request) {
        const page = await inspection.channelRules(request);
        const isOnPage = pageFilter(request, page.next);
        const items = destinations.flatMap((to) => {
          const key = destinationKey(to);
          return isOnPage(key) ? [{ to, rules: byDestination.get(key) ?? [] }] : [];
        });
        return { ...page, items: [...items, ...page.items] };
      },
    },
  };
}

/** Returns a function that is true for the requested keys between the ends of a page; `next`: last key of the page, null for the last page. */
function pageFilter(request: PageRequest, next: string | null): (key: string) => boolean {
  const { after } = request;
  const isAt = destinationFilter(request);
  return (key) => (after === null || key > after) && (next === null || key <= next) && isAt(key);
}
