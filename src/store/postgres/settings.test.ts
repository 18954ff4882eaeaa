import { expect, it } from "vitest";
import { passwordOf, readDatabaseAddress } from "./settings.ts";

it.each([
  ["postgres://u:p%40ss@db.example:5433/splits", { user: "u", server: "db.example:5433", database: "splits" }],
  ["postgresql://db.example", { user: "postgres", server: "db.example:5432", database: "postgres" }],
  ["postgres://u@[::1]/x?sslmode=require", { server: "[::1]:5432", encryption: "unverified", isLocal: true }],
  ["postgres://u@10.0.0.1/x", { encryption: "none", isLocal: false }],
  ["postgres://u@db.example/x?sslmode=verify-full", { encryption: "verified", isLocal: false }],
  ["postgres://u@localhost/x?host=/run/postgresql", { server: "/run/postgresql", isLocal: true }],
])("reads %s", (text, expected) => {
  expect(readDatabaseAddress(text)).toMatchObject({ value: expected });
});

it.each([
  ["mysql://u:hush@host/db", null],
  ["postgres://u:hush@host:port/db", null],
  ["postgres://u:hush@host/db?sslmode=maybe", "sslmode is one of disable, require, verify-ca, verify-full"],
  [
    "postgres://u:hush@host/db?sslmode=verify-ca",
    "sslmode=verify-ca needs sslrootcert, the path of the authority's certificate",
  ],
  ["postgres://u:hush@a,b/db", "name one host, such as an address that follows the primary server"],
  ["postgres://u:100%hush@host/db", "write a % sign as %25"],
])("rejects %s", (text, problem) => {
  expect(readDatabaseAddress(text)).toEqual({ problem });
});

it("finds the password wherever it is", () => {
  expect(passwordOf("postgres://u:p%40ss@host/db")).toBe("p@ss");
  expect(passwordOf("postgres://u@host/db?password=hush")).toBe("hush");
  expect(passwordOf("postgres://u:100%@host/db")).toBe("100%");
  expect(passwordOf("no address")).toBe("");
});
