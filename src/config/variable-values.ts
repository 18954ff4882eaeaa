/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** NAME_FILE is the path of a file that contains the secret NAME. */
export const FILE_SUFFIX = "_FILE";

/** Returns NAME for NAME_FILE and vice versa. */
export function alternateName(name: string): string {
  return name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : name + FILE_SUFFIX;
}

/** True if the variable is set to a value that isn't blank. */
export function hasValue(variables: Variables, name: string): boolean {
  return isSet(variables[name]);
}

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
