import { parseProxy } from "../lib/proxies.ts";

/** One environment variable. `.env.example` is generated from these definitions. */
export interface VariableDefinition {
  readonly name: string;
  /** Masked in every output; can also be given as NAME_FILE. */
  readonly isSecret?: boolean;
  /** Parts of the value that are secrets on their own, because errors of a client may contain them without the rest. */
  readonly secretParts?: (value: string) => readonly string[];
  /** Chosen by the operator, so it must have at least MIN_SECRET_LENGTH characters. */
  readonly isChosen?: boolean;
  /** Sent in an HTTP header, so it must be ASCII characters without spaces. */
  readonly isToken?: boolean;
  /** Also read under its lower-case name, as many programs do. */
  readonly isLowerCaseToo?: boolean;
  /** Explanation in .env.example. If omitted, the variable shares the comment of the previous variable. */
  readonly comment?: string;
  readonly example?: string;
}

/** Length in characters below which a chosen secret could be guessed. */
export const MIN_SECRET_LENGTH = 16;
export const CHOSEN_SECRET_EXPECTED = `at least ${MIN_SECRET_LENGTH} characters (openssl rand -base64 24)`;

/** A group of variables under one heading of .env.example. */
export interface VariableGroup {
  readonly title: string;
  readonly variables: readonly VariableDefinition[];
}

function passwordsOf(address: string): readonly string[] {
  const password = parseProxy(address)?.password ?? "";
  return password === "" ? [] : [password, decodeURIComponent(password)];
}

/** Variables of splitwatch itself. Those of a chat platform are declared in its folder. */
export const GENERAL_VARIABLES = [
  {
    title: "Data service",
    variables: [
      {
        name: "SPLITS_API_URL",
        comment: "Base address of a Reverse Stock Split Data Service, without /v1. Default: the embedded service.",
        example: "https://splits.example.com",
      },
      { name: "SPLITS_API_KEY", isSecret: true, comment: "API key of that service. Secret." },
      {
        name: "SPLITWATCH_CONTACT",
        comment:
          "Mail address sent in the User-Agent to sources that require one (SEC). Without it those sources are off. A web address is accepted too, but not by these sources.",
        example: "ops@example.com",
      },
    ],
  },
  {
    title: "Settings and state",
    variables: [
      {
        name: "SPLITWATCH_CONFIG",
        comment: "YAML file that is merged over config/default.yaml.",
        example: "./splitwatch.yaml",
      },
      { name: "DATA_DIR", comment: "Folder that contains the state.", example: "./data" },
    ],
  },
  {
    title: "Web page, data service, health and metrics",
    variables: [
      {
        name: "HOST",
        comment:
          "Address and port of the HTTP server. A HOST that other machines can reach requires ADMIN_TOKEN. PORT 0 picks any free port.",
        example: "127.0.0.1",
      },
      { name: "PORT", example: "8080" },
      {
        name: "PUBLIC_URL",
        comment: "External address of the HTTP server, for links in messages.",
        example: "https://splitwatch.example.com",
      },
      {
        name: "ADMIN_TOKEN",
        isSecret: true,
        isChosen: true,
        isToken: true,
        comment:
          "Protects the web page and its API. At least 16 characters (openssl rand -base64 24). Without it they answer only to loopback Host headers. Secret.",
      },
    ],
  },
  {
    title: "Proxy",
    variables: [
      {
        name: "HTTPS_PROXY",
        isSecret: true,
        secretParts: passwordsOf,
        isLowerCaseToo: true,
        comment:
          "Proxies for all requests and WebSockets to https and http addresses. HTTPS_PROXY defaults to HTTP_PROXY. Secret if they contain a password.",
        example: "http://proxy.example.com:3128",
      },
      {
        name: "HTTP_PROXY",
        isSecret: true,
        secretParts: passwordsOf,
        isLowerCaseToo: true,
        example: "http://proxy.example.com:3128",
      },
      {
        name: "NO_PROXY",
        isLowerCaseToo: true,
        comment: "Hosts, domains and networks without a proxy, separated by commas; * for all.",
        example: "localhost,127.0.0.1,internal.example.com,10.0.0.0/8",
      },
    ],
  },
  {
    title: "Log",
    variables: [
      { name: "LOG_LEVEL", comment: "debug, info, warn, error or silent.", example: "info" },
      {
        name: "LOG_FORMAT",
        comment: "pretty or json. Default: pretty on a terminal, otherwise json.",
        example: "json",
      },
    ],
  },
] as const satisfies readonly VariableGroup[];

export type GeneralVariable = (typeof GENERAL_VARIABLES)[number]["variables"][number]["name"];
