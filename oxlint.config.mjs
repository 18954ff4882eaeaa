// Rules of oxlint.

/** Folders of src/. */
const FOLDERS = (
  "app catalog chat cli commands config data-service domain extraction http lib messages pipeline ports sources store"
).split(" ");

const PURE_LIB = "backoff closest-word collections error-text external-text json markup text-pieces".split(" ");

/** Folders without I/O and clock. */
const PURE = {
  packages: ["zod"],
  also: ["**/lib/**", ...PURE_LIB.map((name) => `!**/lib/${name}.ts`)],
};

/**
 * Imports go in one direction. `files` may import `folders` of src/ and `packages` (without the key all packages), except what the
 * patterns `also` add, which are those of a .gitignore file. `reason` ends the error.
 */
const IMPORTS = [
  {
    ...PURE,
    files: ["src/domain/{split,article,alert,settings,time}/**"],
    // jsonc-parser names the lines of problems in imports.
    packages: ["zod", "jsonc-parser"],
    folders: "domain lib",
    reason: "the domain imports only the domain, pure parts of lib and zod.",
  },
  {
    ...PURE,
    files: ["src/domain/diff/**"],
    folders: "domain extraction lib",
    reason: "the diff imports only the domain and extraction.",
  },
  {
    ...PURE,
    files: ["src/extraction/**"],
    folders: "domain extraction lib",
    reason: "extraction imports only the domain.",
  },
  {
    ...PURE,
    files: ["src/catalog/**"],
    folders: "catalog domain extraction lib",
    reason: "the catalog imports only the domain and extraction.",
  },
  {
    ...PURE,
    files: ["src/messages/**"],
    folders: "catalog domain lib messages",
    reason: "messages import only the domain and the catalog.",
  },
  {
    files: ["src/ports/**", "src/pipeline/**", "src/commands/**"],
    packages: ["zod", "node:util"],
    folders: "catalog commands domain extraction lib messages pipeline ports",
    reason: "depend on the port, not on the adapter or a package.",
  },
  {
    files: ["src/chat/**"],
    folders: "chat commands config domain http lib messages ports",
    reason: "a chat platform is called by the pipeline, doesn't call it, and imports no other platform.",
    also: ["../{discord,feed,slack,web,webhook}/**", "../../{discord,feed,slack,web,webhook}/**"],
  },
  {
    files: ["src/store/*/**"],
    folders: "catalog domain lib ports store",
    reason: "a store only stores.",
  },
  {
    files: ["src/data-service/**"],
    folders: "data-service domain http lib ports",
    reason: "the data service imports ports, domain, http and lib only.",
  },
  {
    files: ["src/sources/**"],
    folders: "catalog config data-service domain extraction http lib ports sources",
    reason: "a source imports ports, domain, extraction, catalog, data-service, config, http and lib only.",
  },
  {
    files: ["src/http/**"],
    folders: "http lib ports",
    reason: "http imports ports and lib only.",
  },
  {
    files: ["src/lib/**"],
    folders: "domain lib ports",
    reason: "lib imports ports, and of the domain only time/day.",
    also: ["**/domain/**", "!**/domain/time/day.ts"],
  },
];

// One group for all patterns: the exceptions of one group would apply to the others, too.
function importRule({ files, packages, folders, reason, also = [] }) {
  const others = FOLDERS.filter((folder) => !folders.split(" ").includes(folder));
  const foreign = packages === undefined ? [] : ["*", "!.*", "!.*/**", ...packages.map((name) => `!${name}`)];
  const group = [...foreign, ...others.map((folder) => `**/${folder}/**`), ...also];
  return { files, rules: { "no-restricted-imports": ["error", { patterns: [{ group, message: reason }] }] } };
}

const CODE_ONLY = { skipBlankLines: true, skipComments: true };

export default {
  plugins: ["typescript", "import", "unicorn", "promise", "vitest", "node"],
  options: { typeAware: true },
  categories: { correctness: "error", suspicious: "warn" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/extensions": ["error", "always", { ignorePackages: true }],
    eqeqeq: "error",
    "no-console": "error",
    "no-else-return": "error",
    "no-nested-ternary": "error",
    "no-param-reassign": "error",
    "max-depth": ["error", 3],
    "max-params": ["error", 4],
    "max-lines": ["error", { max: 400, ...CODE_ONLY }],
    "max-lines-per-function": ["error", { max: 60, ...CODE_ONLY }],
    complexity: ["error", 12],
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "unicorn/no-array-for-each": "error",
    "unicorn/no-array-reduce": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/only-throw-error": "error",
    "typescript/no-unnecessary-condition": "error",
    "typescript/explicit-module-boundary-types": "error",
    "typescript/no-unsafe-type-assertion": "off",
    "consistent-return": "off",
    "no-await-in-loop": "off",
    "unicorn/require-post-message-target-origin": "off",
  },
  overrides: [
    {
      files: [
        "src/domain/{split,article,alert,settings,time,diff}/**",
        "src/extraction/**",
        "src/catalog/**",
        "src/messages/**",
      ],
      rules: {
        "no-restricted-globals": [
          "error",
          { name: "Date", message: "this folder receives the time; it does not read it." },
        ],
      },
    },
    ...IMPORTS.map(importRule),
    { files: ["src/main.ts", "scripts/**"], rules: { "no-console": "off" } },
    {
      files: ["*.config.ts", "**/*.test.ts", "test/**"],
      rules: {
        "import/no-cycle": "error",
        "import/no-default-export": "off",
        "max-lines": "off",
        "max-lines-per-function": "off",
        "no-restricted-imports": "off",
        "no-restricted-globals": "off",
        "typescript/explicit-module-boundary-types": "off",
        "typescript/no-unnecessary-condition": "off",
      },
    },
  ],
};
