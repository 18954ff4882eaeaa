import {
  type LiveSources,
  type LiveSourcesParts,
  openLiveSources,
  type SourceOpener,
} from "../../src/sources/live/live-sources.ts";

export interface FollowedLiveSources extends LiveSources {
  stop(): Promise<void>;
}

/** Opens the records of the sources and follows the sources, as the only process does. */
export async function followSources(
  openers: readonly SourceOpener[],
  parts: LiveSourcesParts,
): Promise<FollowedLiveSources> {
  const live = await openLiveSources(openers, parts);
  const following = await live.follow();
  return {
    ...live,
    async stop() {
      await following.stop();
      await live.close();
    },
  };
}
