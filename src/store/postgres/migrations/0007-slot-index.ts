/** Index of the rate-limit slots that queues have reserved: few rows at a time. */
export const SLOT_INDEX = `
create index queues_slot on queues (slot_at) where slot_at is not null;
`;
