import { type RawBuilder, sql } from "kysely";

/**
 * Query for the different values (`value`) of an indexed column, with one look-up in the index for each, however many rows have it.
 * `isWanted`: condition for the column; default: it is not null.
 */
export function distinctValues(table: string, column: string, isWanted?: RawBuilder<boolean>): RawBuilder<unknown> {
  const [of, name] = [sql.table(table), sql.ref(column)];
  const condition = isWanted ?? sql<boolean>`${name} is not null`;
  return sql`
    with recursive found (value) as (
      select min(${name}) from ${of} where ${condition}
      union all
      select (select min(${name}) from ${of} where ${name} > found.value and ${condition}) from found
      where found.value is not null
    )
    select value from found where value is not null
  `;
}
