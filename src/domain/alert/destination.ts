/** Where a message goes: a channel or a person on one platform. Ids are the platform's own, and opaque. */
export interface Destination {
  readonly platform: string;
  readonly kind: "channel" | "person";
  readonly id: string;
}

/** One person on one platform: the destination of what they watch. */
export interface Person extends Destination {
  readonly kind: "person";
}

export function isPerson(to: Destination): to is Person {
  return to.kind === "person";
}

/** `web:person:alice`: one text per destination, for keys. */
export type DestinationKey = string & { readonly __brand: "DestinationKey" };

export function destinationKey(destination: Destination): DestinationKey {
  return `${destination.platform}:${destination.kind}:${destination.id}` as DestinationKey;
}

/** The inverse of `destinationKey`: only the id may hold colons. */
export function parseDestinationKey(key: DestinationKey): Destination {
  const [platform = "", kind = ""] = key.split(":", 2);
  return { platform, kind: kind === "person" ? kind : "channel", id: key.slice(`${platform}:${kind}:`.length) };
}

/** The same for the key of a person. */
export function parsePersonKey(key: DestinationKey): Person {
  return { ...parseDestinationKey(key), kind: "person" };
}
