import { XMLParser } from "fast-xml-parser";

/** Parser of XML whose texts and attribute values stay as written. `lists`: elements that are lists, also if there is only one. */
export function createXmlParser(lists: readonly string[] = []): XMLParser {
  return new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
    isArray: (name) => lists.includes(name),
  });
}
