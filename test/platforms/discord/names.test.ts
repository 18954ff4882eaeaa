import { expect, it } from "vitest";
import { startTraders } from "./traders.ts";

it("the operator sees the names of Discord's servers, channels and people beside their ids", async () => {
  const { ada, alerts, app } = await startTraders();
  await ada.slash("/splits subscribe", {}, alerts);
  const answer = await fetch(`${app.address}/api/operator/rules?destination=traders`);
  const { items } = (await answer.json()) as { items: readonly { to: { name: string; id: string } }[] };
  expect(items.map(({ to }) => to.name)).toEqual([
    `#${alerts.name} in ${alerts.guild?.name} on Discord (${items[0]?.to.id})`,
  ]);
});
