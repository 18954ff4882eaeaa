import { expect, it } from "vitest";
import type { VariableDefinition, VariableGroup } from "../../src/config/variables.ts";
import { commentLines, VARIABLE_GROUPS } from "../support/configuration-text.ts";

const HEADER = [
  "Copy this file to .env and set what you need. Every variable is optional. With nothing set, splitwatch answers on this machine only, reads public sources (or shows sample data until one of them can be read) and keeps its state in ./data.",
  "Variables of the process take precedence over those in .env. A blank value counts as not set. Each secret can be given as NAME_FILE instead, the path of a file that contains it, for example ADMIN_TOKEN_FILE=/run/secrets/admin-token. Everything that is neither an address nor a secret is a setting: see config/default.yaml.",
  "This file is generated from the definitions of the variables: npm test -- test/repository/env-example.test.ts -u",
];

it("has an .env.example that matches the definitions of the variables", async () => {
  const text = [HEADER.map(comment).join("\n#\n"), ...VARIABLE_GROUPS.map(section)].join("\n\n");
  await expect(`${text}\n`).toMatchFileSnapshot("../../.env.example");
});

function section({ title, variables }: VariableGroup): string {
  const paragraphs = variables.map((definition) => (definition.comment === undefined ? "" : "\n") + entry(definition));
  return [`# --- ${title} ---`, ...paragraphs].join("\n");
}

function entry({ name, comment: text, example = "" }: VariableDefinition): string {
  return [...(text === undefined ? [] : [comment(text)]), `#${name}=${example}`].join("\n");
}

function comment(text: string): string {
  return commentLines(text).join("\n");
}
