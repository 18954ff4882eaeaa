import { z } from "zod";
import type { Infer } from "../schema-parts.ts";

export const destinationSchema = z.object({
  platform: z.string(),
  kind: z.enum(["channel", "person"]),
  /** The platform's own id; opaque. */
  id: z.string(),
});

/** A channel or a person on one platform. */
export type Destination = Infer<typeof destinationSchema>;

export const personSchema = destinationSchema.extend({ kind: z.literal("person") });

/** One person on one platform: the destination of their watchlist's alerts. */
export type Person = Infer<typeof personSchema>;

export function isPerson(destination: Destination): destination is Person {
  return destination.kind === "person";
}

const destinationKeySchema = z.string().brand<"DestinationKey">();

/** String form of a destination, for use as a key: `web:person:alice`. */
export type DestinationKey = z.infer<typeof destinationKeySchema>;

export function destinationKey(destination: Destination): DestinationKey {
  return `${destination.platform}:${destination.kind}:${destination.id}` as DestinationKey;
}

export function isSameDestination(a: Destination, b: Destination): boolean {
  return destinationKey(a) === destinationKey(b);
}

/** Inverse of `destinationKey`. Only the id may contain colons. */
export function parseDestinationKey(key: DestinationKey): Destination {
  const [platform = "", kind = ""] = key.split(":", 2);
  return { platform, kind: kind === "person" ? kind : "channel", id: key.slice(`${platform}:${kind}:`.length) };
}

/** Inverse of `destinationKey` for the key of a person. */
export function parsePersonKey(key: DestinationKey): Person {
  return { ...parseDestinationKey(key), kind: "person" };
}
