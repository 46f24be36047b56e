import { createHash } from 'node:crypto';

/** Rules are made on one part of the data and judged on the other; nobody reads a record of the second. */
export const PARTS = ['make', 'judge'] as const;
export type Part = (typeof PARTS)[number];

/** Calls of one group stay together, or the second part would know the first. */
export function partOf(group: string): Part {
  const first = createHash('sha256').update(group).digest('hex').charAt(0);
  return Number.parseInt(first, 16) % 2 === 0 ? 'make' : 'judge';
}
