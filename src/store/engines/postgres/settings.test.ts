import { expect, it } from "vitest";
import { passwordsOf, readDatabaseAddress } from "./settings.ts";

it.each([
  ["postgres://u:p%40ss@db.example:5433/splits", { user: "u", server: "db.example:5433", database: "splits" }],
  ["postgresql://db.example", { user: "postgres", server: "db.example:5432", database: "postgres" }],
  ["postgres://u@[::1]/x?sslmode=require", { server: "[::1]:5432", encryption: "unverified", isLocal: true }],
  ["postgres://u@10.0.0.1/x", { encryption: "none", isLocal: false }],
  ["postgres://u@db.example/x?sslmode=verify-full", { encryption: "verified", isLocal: false }],
  ["postgres://u@127.0.0.2/x", { isLocal: true }],
  ["postgres://u@LOCALHOST/x", { isLocal: true }],
  ["postgres://u@127.example.com/x", { isLocal: false }],
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
  ["postgres://u:hush@host/db?ssl=true", "write sslmode=require or sslmode=verify-full instead of ssl="],
  ["postgres://u:hush@host/db?port=abc", "name the user, the port and the database before the ?, instead of port="],
  ["postgres://u:hush@host/db?dbname=x", "name the user, the port and the database before the ?, instead of dbname="],
  ["postgres://u:hush@host/db?host=%00", "remove the NUL character"],
  ["postgres://u:hush@host/d%00b", "remove the NUL character"],
  ["postgres://u:hush@host/db?password=hush", "give the password once: before the @ or as ?password="],
  ["postgres://u:hush@host/db?sslmode=verify-full&sslrootcert=/dev/zero", "sslrootcert is the path of a regular file"],
  ["postgres://u:hush@host/db?sslmode=require&sslkey=/tmp", "sslkey is the path of a regular file"],
  ["postgres://u:hush@host/db?sslcert=/tmp/%00", "sslcert is the path of a regular file"],
])("rejects %s", (text, problem) => {
  expect(readDatabaseAddress(text)).toEqual({ problem });
});

it.each([
  ["postgres://u:p%40ss@host/db", ["p@ss"]],
  ["postgres://u@host/db?password=hush", ["hush"]],
  ["postgres://u:100%@host/db", ["100%"]],
  ["postgres://u:first@host/db?password=second", ["first", "second"]],
  ["postgres://splits:splits@host/db?password=db", []],
  ["postgres://u@host/db", []],
  ["no address", []],
])("finds the secret passwords of %s", (url, passwords) => {
  expect(passwordsOf(url)).toEqual(passwords);
});
