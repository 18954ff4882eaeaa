import { closestWord } from "../lib/closest-word.ts";
import { alternateName, FILE_SUFFIX, hasValue, type Variables } from "./variable-values.ts";
import type { VariableDefinition } from "./variables.ts";

/** Most variables of a process belong to other programs, so only names with a typing error or two are reported. */
const MAX_EDITS = 2;

/**
 * Returns a warning for each variable whose name is probably a mistake: `ADMIN_TOKNE: unknown variable; did you mean ADMIN_TOKEN?`
 * A variable that is set correctly is not suggested.
 */
export function misspelledVariables(
  definitions: readonly VariableDefinition[],
  variables: Variables,
): readonly string[] {
  const names = definitions.map(({ name }) => name);
  const fileNames = definitions.flatMap(({ name, isSecret }) => (isSecret ? [name + FILE_SUFFIX] : []));
  const known = new Set([...names, ...fileNames]);
  const shared = new Set(definitions.filter(({ isLowerCaseToo }) => isLowerCaseToo).map(({ name }) => name));
  // Names of one short word, such as HOST, and those that many programs read resemble those of other programs.
  const suggestions = [...known].filter(
    (name) =>
      !shared.has(name) &&
      name.includes("_") &&
      !hasValue(variables, name) &&
      !hasValue(variables, alternateName(name)),
  );
  const unknown = Object.keys(variables).filter((name) => !known.has(name) && hasValue(variables, name));
  return unknown.flatMap((name) => {
    const withoutFile = name.slice(0, -FILE_SUFFIX.length);
    if (name.endsWith(FILE_SUFFIX) && names.includes(withoutFile))
      return [`${name}: unknown variable; only secrets can be read from a file, set ${withoutFile}`];
    const suggestion =
      closestWord(name, suggestions, MAX_EDITS) ?? suggestions.find((candidate) => differsByWords(name, candidate));
    return suggestion === undefined ? [] : [`${name}: unknown variable; did you mean ${suggestion}?`];
  });
}

/** True if one name is the other one with more words: SPLITS_URL and SPLITS_API_URL. */
function differsByWords(a: string, b: string): boolean {
  const [shorter, longer] = [a.split("_"), b.split("_")].toSorted((one, other) => one.length - other.length);
  if (shorter === undefined || longer === undefined || shorter.length < 2 || shorter[0] !== longer[0]) return false;
  let found = 0;
  for (const word of longer) if (word === shorter[found]) found += 1;
  return found === shorter.length;
}
