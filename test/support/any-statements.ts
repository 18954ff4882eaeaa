import * as fc from "fast-check";
import { anObservation } from "./observations.ts";
import { release, type Statement } from "./statements.ts";

const dayOfSpring = fc
  .integer({ min: 0, max: 70 })
  .map((n) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10));

const anyNotice = fc
  .record({
    source: fc.constantFrom("nasdaq", "finra", "nyse", "cse", "tsxv"),
    id: fc.constantFrom("1", "2", "3"),
    issuedOn: dayOfSpring,
    observed: dayOfSpring,
    kind: fc.constantFrom("announced", "announced", "postponed", "cancelled", "confirmed" as const),
    listings: fc.constantFrom(
      ["NASDAQ: ACME"],
      ["OTC: ACME"],
      ["CSE: ACM"],
      ["NASDAQ: ACME", "CSE: ACM"],
      ["NASDAQ: ACME", "NASDAQ: ACMX"],
      ["OTC: BOLT"],
      ["ACME"],
    ),
    company: fc.constantFrom("ACME ROBOTICS INC", "Bolt Ltd.", null),
    ratio: fc.constantFrom("1:20", "1:25", null),
    exDate: fc.option(dayOfSpring),
    newCusip: fc.constantFrom("00000A109", null),
    evidence: fc.constantFrom({}, { exDate: "on or about that day", ratio: "1-for-20" }),
  })
  .map(({ observed, ...parts }): Statement => {
    const observedAt = Date.parse(`${observed}T18:00:00Z`);
    return { notice: anObservation({ ...parts, observedAt, url: `https://${parts.source}.example/${parts.id}` }) };
  });

const anyRelease = fc
  .record({
    published: dayOfSpring,
    announced: fc.option(dayOfSpring),
    kind: fc.constantFrom("reverse_split", "reverse_split", "postponed", "cancelled" as const),
    source: fc.constantFrom("prnewswire", "globenewswire"),
    kindSentence: fc.constantFrom("It will effect a reverse split.", "It will proceed as planned."),
    tags: fc.constantFrom([], ["NASDAQ: ACME", "CSE: ACM"]),
    said: fc.record({
      ticker: fc.constantFrom("ACME", "ACMED", "ACM", "BOLT", null),
      exchange: fc.constantFrom("NASDAQ", "OTC", "CSE", null),
      company: fc.constantFrom("Acme Robotics Inc.", "Bolt Ltd.", null),
      ratio: fc.constantFrom("1:20", "1:25", null),
      exDate: fc.option(dayOfSpring),
    }),
  })
  .map(({ said, published, ...parts }) => release(published, said, parts));

/** Statements of all sources about a few companies in one spring: many concern one split, contradict or revise each other. */
export const anyStatements = fc.array(fc.oneof(anyNotice, anyNotice, anyRelease), { maxLength: 14 });
