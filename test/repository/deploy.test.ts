import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parser as promql } from "@prometheus-io/lezer-promql";
import { beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { PLATFORMS } from "../../src/chat/index.ts";
import { GENERAL_VARIABLES, type VariableDefinition } from "../../src/config/variables.ts";
import { STORES } from "../../src/store/index.ts";
import { pageWithEveryMetric } from "../support/metrics-page.ts";

const root = join(import.meta.dirname, "../..");

/** Variables of programs other than splitwatch. */
const FOREIGN_VARIABLES = /^(?:NODE_ENV|NODE_IMAGE|UV_THREADPOOL_SIZE|PUBLIC_HOST|POSTGRES_[A-Z_]+)$/;

type Service = z.infer<typeof Service>;
const Service = z.looseObject({
  extends: z.object({ file: z.string(), service: z.string() }).optional(),
  secrets: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
});

const Named = z.looseObject({ name: z.string() });

const Deployment = z.object({
  replicas: z.number(),
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  strategy: z.looseObject({ rollingUpdate: z.record(z.string(), z.number()) }),
  template: z.object({
    metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
    spec: z.looseObject({
      terminationGracePeriodSeconds: z.number(),
      volumes: z.array(Named),
      containers: z.tuple([
        z.looseObject({
          ports: z.array(Named),
          lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }),
          securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }),
          volumeMounts: z.array(Named.extend({ mountPath: z.string() })),
        }),
      ]),
    }),
  }),
});

const PolicyPeer = z.looseObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional() });

const PolicyRule = z.object({
  from: z.array(PolicyPeer).optional(),
  to: z.array(PolicyPeer).optional(),
  ports: z.array(z.object({ protocol: z.string(), port: z.union([z.string(), z.number()]) })),
});

const NetworkPolicy = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.array(z.string()),
  ingress: z.array(PolicyRule),
  egress: z.array(PolicyRule),
});

const text = (file: string): string => readFileSync(join(root, file), "utf8");

/** One time series of the metrics page. */
interface Series {
  readonly metric: string;
  readonly labels: ReadonlyMap<string, string>;
}

/** A selector of an expression, such as `splitwatch_polls_total{outcome="failed"}`. */
interface Selector extends Series {
  /** Label names of the expression's groupings. */
  readonly grouping: readonly string[];
}

let series: readonly Series[] = [];

beforeAll(async () => {
  series = seriesOf(await pageWithEveryMetric());
});

describe("the alert rules for Prometheus", () => {
  const { groups } = z
    .object({ groups: z.array(z.object({ rules: z.array(z.looseObject({ alert: z.string(), expr: z.string() })) })) })
    .parse(parse(text("deploy/prometheus-alerts.yaml")));

  it.each(groups.flatMap(({ rules }) => rules).map(({ alert, expr }) => [alert, expr]))(
    "%s reads metrics that exist",
    (_, expr) => {
      expect(problemsOf(expr)).toEqual([]);
    },
  );

  it("are in the table of causes and actions", () => {
    const rows = [...text("docs/operating.md").matchAll(/^\| `(Splitwatch\w+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  });
});

describe("the dashboard for Grafana", () => {
  const { panels } = z
    .object({
      panels: z.array(
        z.looseObject({
          title: z.string(),
          gridPos: z.record(z.string(), z.number()),
          targets: z.array(z.looseObject({ expr: z.string() })),
        }),
      ),
    })
    .parse(JSON.parse(text("deploy/grafana-dashboard.json")));
  const expressions = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

  it.each(expressions)("reads metrics that exist: %s", (_, expr) => {
    expect(problemsOf(expr)).toEqual([]);
  });

  it("shows every metric of splitwatch", () => {
    const shown = expressions.map(([, expr]) => expr).join("\n");
    const names = new Set(series.map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, "")));
    expect([...names].filter((name) => name.startsWith("splitwatch_") && !shown.includes(name))).toEqual([]);
  });
});

describe("an expression with a mistake is reported", () => {
  it.each([
    ["sum by (platform rate(splitwatch_polls_total[5m])", "not valid"],
    ["rate(splitwatch_poll_total[5m])", "splitwatch_poll_total does not exist"],
    ['splitwatch_polls_total{outcom="failed"}', "splitwatch_polls_total has no label outcom"],
    ['splitwatch_polls_total{outcome="fails"}', 'splitwatch_polls_total has no outcome "fails"'],
    ["sum by (sources) (splitwatch_source_up)", "splitwatch_source_up has no label sources"],
  ])("%s", (expr, problem) => {
    expect(problemsOf(expr)).toEqual([problem]);
  });
});

describe("the deployment files", () => {
  const groups: readonly { readonly variables: readonly VariableDefinition[] }[] = [
    ...GENERAL_VARIABLES,
    ...STORES,
    ...PLATFORMS,
  ];
  const variables = groups.flatMap((group) => group.variables);
  const secrets = variables.filter(({ isSecret }) => isSecret).map(({ name }) => `${name}_FILE`);
  const known = new Set<string>([...variables.map(({ name }) => name), ...secrets]);

  it.each([
    "Dockerfile",
    "deploy/compose.yaml",
    "deploy/compose.replicas.yaml",
    "deploy/kubernetes.yaml",
    "deploy/splitwatch.service",
  ])("%s sets only variables that exist", (file) => {
    const names = [...text(file).matchAll(/\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b(?=[=:]| \}|, value)/g)].map(
      ([, name = ""]) => name,
    );
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name) && !FOREIGN_VARIABLES.test(name))).toEqual([]);
  });

  it("are valid YAML without duplicate keys", () => {
    for (const file of ["compose.yaml", "compose.replicas.yaml", "kubernetes.yaml", "prometheus-alerts.yaml"]) {
      const documents = parseAllDocuments(text(`deploy/${file}`));
      expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    }
  });

  it("copy files that exist into the image, and start it as a user without rights", () => {
    const dockerfile = text("Dockerfile");
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = ""]) =>
      files.split(" "),
    );
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const lastStage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM"));
    expect(lastStage).toMatch(/^USER node$/m);
    expect(lastStage).toMatch(/^ENTRYPOINT \["splitwatch"\]$/m);
  });
});

describe("what CI and the containers run", () => {
  it("is no action of a tag or branch, which can be moved: each has a commit and the name of its version", () => {
    const uses = [...text(".github/workflows/ci.yaml").matchAll(/uses: *(.+)$/gm)].map(([, use = ""]) => use);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((use) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
  });

  it("is no image of a version that can be moved, except the one that is built here", () => {
    const files = ["Dockerfile", "deploy/compose.yaml", "deploy/compose.replicas.yaml", "deploy/kubernetes.yaml"];
    const images = files.flatMap((file) =>
      [...text(file).matchAll(/^ *(?:image: |ARG NODE_IMAGE=)(.+)$/gm)].map(([, image = ""]) => image),
    );
    const floating = images.filter(
      (image) => !/:\d+\.\d+(?:\.\d+)?(?:-\w[\w.]*)?(?:@sha256:[0-9a-f]{64})?$/.test(image),
    );
    expect(images.length).toBeGreaterThan(4);
    expect(floating).toEqual(["splitwatch"]);
    expect(text("Dockerfile").match(/^FROM .*/gm)).toEqual([
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\} AS build$/),
      expect.stringMatching(/^FROM \$\{NODE_IMAGE\}$/),
    ]);
  });

  it("is the package's version in the Kubernetes example", () => {
    const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(text("package.json")));
    expect(text("deploy/kubernetes.yaml")).toContain(`/splitwatch:${version}\n`);
  });
});

describe("the proxy of the compose files", () => {
  it("can write only certificates and what it forgets, and only bind ports below 1024", () => {
    const { services } = z
      .looseObject({ services: z.record(z.string(), Service) })
      .parse(parse(text("deploy/compose.yaml")));
    expect(services.caddy).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      cap_add: ["NET_BIND_SERVICE"],
      security_opt: ["no-new-privileges:true"],
      tmpfs: ["/config", "/tmp"],
      volumes: ["./Caddyfile:/etc/caddy/Caddyfile:ro", "certificates:/data"],
    });
  });

  const caddyfile = text("deploy/Caddyfile");
  const matcher = (name: string): string | undefined => new RegExp(`^\\s*@${name} (.+)$`, "m").exec(caddyfile)?.[1];

  it("compresses answers, but no live stream", () => {
    expect(caddyfile).toMatch(/^\s*encode @answers /m);
    expect(matcher("answers")).toBe("not path /api/stream");
  });

  it("keeps the metrics and the reasons of readiness inside the network", () => {
    expect(caddyfile).toMatch(/^\s*respond @inside 404$/m);
    expect(matcher("inside")).toBe("path /metrics /readyz");
  });
});

describe("the compose file with several processes", () => {
  const compose = z
    .object({
      services: z.record(z.string(), Service),
      secrets: z.record(z.string(), z.unknown()),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(text("deploy/compose.replicas.yaml")));
  const base = z.object({ services: z.record(z.string(), Service) }).parse(parse(text("deploy/compose.yaml")));
  const services = Object.values(compose.services).map((service) => ({ ...baseOf(service), ...service }));

  function baseOf({ extends: extended }: Service): Service {
    if (extended === undefined) return {};
    expect(extended.file).toBe("compose.yaml");
    return z.looseObject({}).parse(base.services[extended.service]);
  }

  it("starts two processes with the same database", () => {
    const { splitwatch } = compose.services;
    expect(splitwatch?.scale).toBe(2);
    expect(splitwatch?.environment).toEqual({ DATABASE_URL_FILE: "/run/secrets/database-url" });
    expect(splitwatch?.depends_on).toEqual({ database: { condition: "service_healthy" } });
  });

  it("defines the secrets and volumes that its services use", () => {
    const used = services.flatMap(({ secrets = [] }) => secrets);
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.secrets)));
    const mounted = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(":")[0] ?? ""));
    expect(new Set(mounted.filter((name) => !name.startsWith(".")))).toEqual(new Set(Object.keys(compose.volumes)));
  });
});

describe("the systemd unit", () => {
  const unit = text("deploy/splitwatch.service");

  it("permits what Node.js needs: system calls of services and for memory protection keys, and executable memory", () => {
    expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  });

  it("permits the socket that locks DATA_DIR", () => {
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_UNIX\b/m);
  });
});

describe("secrets of the compose files", () => {
  it("are in one folder, which git, the image and the npm package ignore", () => {
    const files = ["deploy/compose.yaml", "deploy/compose.replicas.yaml"].flatMap((file) => {
      const { secrets } = z
        .looseObject({ secrets: z.record(z.string(), z.object({ file: z.string() })) })
        .parse(parse(text(file)));
      return Object.values(secrets).map((secret) => secret.file);
    });
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !file.startsWith("./secrets/"))).toEqual([]);
    expect(text(".gitignore").split("\n")).toContain("deploy/secrets/");
    expect(text(".dockerignore").split("\n")).toContain("deploy");
    const { files: packaged } = z.looseObject({ files: z.array(z.string()) }).parse(JSON.parse(text("package.json")));
    expect(packaged).toContain("!deploy/secrets");
  });
});

describe("the Kubernetes example", () => {
  const objects = parseAllDocuments(text("deploy/kubernetes.yaml")).map((document) =>
    z.looseObject({ kind: z.string(), spec: z.unknown() }).parse(document.toJSON()),
  );
  const specOf = (kind: string): unknown => objects.find((object) => object.kind === kind)?.spec;
  const deployment = Deployment.parse(specOf("Deployment"));
  const pod = deployment.template.spec;
  const [container] = pod.containers;

  it("starts a new process before it stops an old one, of at least two", () => {
    expect(deployment.replicas).toBeGreaterThanOrEqual(2);
    expect(deployment.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  it("leaves a process the 10 seconds that its stop can take", () => {
    const [, delay] = container.lifecycle.preStop.exec.command;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(delay) + 10);
  });

  it("sends requests to the pods of the deployment", () => {
    const service = z
      .looseObject({
        selector: z.record(z.string(), z.string()),
        ports: z.array(z.looseObject({ targetPort: z.string() })),
      })
      .parse(specOf("Service"));
    const { labels } = deployment.template.metadata;
    expect(deployment.selector.matchLabels).toEqual(labels);
    expect(service.selector).toEqual(labels);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(container.ports.map(({ name }) => name));
  });

  it("permits connections to its ports only, and to name servers, HTTPS of the internet and the database", () => {
    const policy = NetworkPolicy.parse(specOf("NetworkPolicy"));
    expect(policy.podSelector.matchLabels).toEqual(deployment.template.metadata.labels);
    expect(policy.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(portsOf(policy.ingress)).toEqual(container.ports.map(({ name }) => `TCP ${name}`));
    expect(portsOf(policy.egress)).toEqual(["UDP 53", "TCP 53", "TCP 443", "TCP 5432"]);
    // A rule without peers permits all of them.
    const peers = [
      ...policy.ingress.map(({ from }) => from?.length ?? 0),
      ...policy.egress.map(({ to }) => to?.length ?? 0),
    ];
    expect(peers.every((count) => count > 0)).toBe(true);
    const blocks = policy.egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
    expect(blocks.map(({ cidr }) => cidr)).toEqual(["0.0.0.0/0", "::/0"]);
    expect(blocks.flatMap(({ except }) => except)).toEqual(
      expect.arrayContaining([
        "10.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "fc00::/7",
        "fe80::/10",
      ]),
    );
  });

  it("makes only the temporary folder writable: the state is in the database", () => {
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/tmp"]);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
  });
});

/** `TCP 443` */
function portsOf(rules: readonly z.infer<typeof PolicyRule>[]): readonly string[] {
  return rules.flatMap(({ ports }) => ports.map(({ protocol, port }) => `${protocol} ${port}`));
}

/** Mistakes in a PromQL expression: syntax, unknown metrics, labels and label values. */
function problemsOf(expr: string): readonly string[] {
  const { isValid, selectors } = readExpression(expr);
  return isValid ? selectors.flatMap(selectorProblems) : ["not valid"];
}

function selectorProblems({ metric, labels, grouping }: Selector): readonly string[] {
  const known = series.filter((one) => one.metric === metric);
  if (known.length === 0) return [`${metric} does not exist`];
  const labelNames = new Set(known.flatMap((one) => [...one.labels.keys()]));
  // Prometheus adds the label of the scraped process.
  labelNames.add("instance");
  const unknown = [...labels.keys(), ...grouping].find((name) => !labelNames.has(name));
  if (unknown !== undefined) return [`${metric} has no label ${unknown}`];
  return [...labels].flatMap(([name, pattern]) =>
    known.some((one) => new RegExp(`^(?:${pattern})$`).test(one.labels.get(name) ?? ""))
      ? []
      : [`${metric} has no ${name} "${pattern}"`],
  );
}

function readExpression(expr: string): { readonly isValid: boolean; readonly selectors: readonly Selector[] } {
  const grouping: string[] = [];
  const found: { metric: string; labels: Map<string, string> }[] = [];
  let isValid = true;
  let label = "";
  promql.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      const content = expr.slice(from, to);
      if (type.isError) isValid = false;
      if (type.name === "VectorSelector") found.push({ metric: "", labels: new Map() });
      const selector = found.at(-1);
      if (type.name === "Identifier" && selector?.metric === "") selector.metric = content;
      if (type.name === "LabelName" && node.parent?.name === "GroupingLabels") grouping.push(content);
      else if (type.name === "LabelName") label = content;
      if (type.name === "StringLiteral") selector?.labels.set(label, content.slice(1, -1));
    },
  });
  return { isValid, selectors: found.map((selector) => ({ ...selector, grouping })) };
}

/** Reads the lines of the Prometheus text format. */
function seriesOf(page: string): readonly Series[] {
  return page
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, metric = "", labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      return {
        metric,
        labels: new Map([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value])),
      };
    });
}
