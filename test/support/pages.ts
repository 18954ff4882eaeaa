/** Members of all pages. */
export async function membersOf<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const members: T[] = [];
  for await (const page of pages) members.push(...page);
  return members;
}
