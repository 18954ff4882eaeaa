import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { describeService } from "../../src/data-service/server/openapi.ts";
import { startService } from "./service-under-test.ts";

const document = describeService({ limitPerMinute: 600 });

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

const paths = document.paths as Readonly<Record<string, Readonly<Record<"get" | "head", Operation>>>>;

describe("the OpenAPI description", () => {
  it("is accepted by a stock validator", async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
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
  ])("gives the limits and defaults of %s", (name, schema) => {
    const parameter = paths["/v1/articles"]?.get.parameters.find((known) => known.name === name);
    expect(parameter?.schema).toMatchObject(schema);
  });

  it.each(["/v1/splits", "/v1/splits/{ticker}", "/v1/articles"])("lists all that %s may answer", (path) => {
    const statuses = ["200", "304", "400", "401", "405", "429", "500", "503"];
    expect(Object.keys(paths[path]?.get.responses ?? {})).toEqual(statuses);
    expect(Object.keys(paths[path]?.head.responses ?? {})).toEqual(statuses);
  });

  it("wants the key in the query everywhere but at itself", () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    expect(document.components).toMatchObject({
      securitySchemes: { apiKey: { type: "apiKey", in: "query", name: "apiKey" } },
    });
    expect(paths["/v1/openapi.json"]?.get.security).toEqual([]);
    expect(paths["/v1/splits"]?.get.security).toBeUndefined();
  });

  it("gives each operation its own name", () => {
    const ids = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is what the service serves, the limit that holds there included", async () => {
    const service = await startService({}, { limitPerMinute: 7 });
    expect((await service.askBare("/v1/openapi.json")).json).toEqual(
      JSON.parse(JSON.stringify(describeService({ limitPerMinute: 7 }))),
    );
    expect(JSON.stringify(describeService({ limitPerMinute: 7 }))).toContain("More than 7 requests");
  });
});
