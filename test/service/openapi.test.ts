import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeEach, describe, expect, it } from "vitest";
import { startService } from "./service-under-test.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, object>>;
}

interface Document extends Record<string, unknown> {
  readonly paths: Readonly<Record<string, Readonly<Record<"get" | "head", Operation>>>>;
  readonly security: readonly object[];
  readonly components: object;
}

let document: Document;
let paths: Document["paths"];

async function documentOf(limitPerMinute: number): Promise<Document> {
  const service = await startService({}, { limitPerMinute });
  return (await service.askBare("/v1/openapi.json")).json as Document;
}

beforeEach(async () => {
  document = await documentOf(600);
  ({ paths } = document);
});

describe("the OpenAPI document", () => {
  it("is accepted by a standard validator", async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  it("follows the recommended rules of Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const lint = async (source: object): Promise<readonly string[]> =>
      (await lintFromString({ source: JSON.stringify(source), absoluteRef: "openapi.json", config })).map(
        ({ ruleId }) => ruleId,
      );
    expect(await lint(document)).toEqual([]);
    expect(await lint({ ...document, tags: [{ name: "splits" }] })).toContain("tag-description");
  });

  it("names every path, each with GET and HEAD", () => {
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ["/v1/splits", ["get", "head"]],
      ["/v1/splits/{ticker}", ["get", "head"]],
      ["/v1/articles", ["get", "head"]],
      ["/v1/openapi.json", ["get", "head"]],
    ]);
  });

  it.each([
    ["/v1/splits", ["exchange"]],
    ["/v1/splits/{ticker}", ["ticker"]],
    ["/v1/articles", ["sources", "from", "to", "page", "size"]],
    ["/v1/openapi.json", []],
  ])("names the parameters of %s: %j", (path, names) => {
    const parameters = paths[path]?.get.parameters.filter((parameter) => parameter.in !== "header");
    expect(parameters?.map((parameter) => parameter.name)).toEqual(names);
    expect(parameters?.filter((parameter) => parameter.required).map((parameter) => parameter.in)).toEqual(
      names.includes("ticker") ? ["path"] : [],
    );
  });

  it.each([
    ["page", { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }],
    ["size", { type: "integer", minimum: 1, maximum: 40, default: 20 }],
    ["from", { type: "string", format: "date" }],
    ["to", { type: "string", format: "date" }],
    [
      "sources",
      { type: "array", items: { enum: ["prnewswire", "businesswire", "globenewswire", "accesswire", "newsfile"] } },
    ],
  ])("states the limits and defaults of %s", (name, schema) => {
    const parameter = paths["/v1/articles"]?.get.parameters.find((known) => known.name === name);
    expect(parameter?.schema).toMatchObject(schema);
  });

  it.each(["/v1/splits", "/v1/splits/{ticker}", "/v1/articles"])("lists every answer of %s", (path) => {
    const statuses = ["200", "304", "400", "401", "405", "429", "500", "503"];
    expect(Object.keys(paths[path]?.get.responses ?? {})).toEqual(statuses);
    expect(Object.keys(paths[path]?.head.responses ?? {})).toEqual(statuses);
  });

  it("requires the key in the query of every operation but itself", () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components).toMatchObject({
      securitySchemes: { apiKey: { type: "apiKey", in: "query", name: "apiKey" } },
    });
    expect(paths["/v1/openapi.json"]?.get.security).toEqual([]);
    expect(paths["/v1/splits"]?.get.security).toBeUndefined();
  });

  it("has unique operation ids", () => {
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("names the limit of the service it describes", async () => {
    expect(JSON.stringify(await documentOf(7))).toContain("More than 7 requests");
  });
});
