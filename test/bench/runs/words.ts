/** What is said in the simulated calls of the benches: a caller asks about an order by its number. */

export const CALLER_TURNS = 8;
/** The agent's opening and its answers, and the caller's lines but for the first, which stands in the test. */
export const CALLS_AN_ATTEMPT = 1 + CALLER_TURNS + (CALLER_TURNS - 1);
/** A step each: the opening, the lines of the caller and the answers. */
export const STEPS_AN_ATTEMPT = 1 + 2 * CALLER_TURNS;
/** What the agent says of an order that it finds, and of no other. */
export const FOUND = 'is confirmed';

/** Orders of which one in ten is never found, and one in ten is found by all attempts but the second. */
export const mixedOrder = (number: number) => 10_000 + number;
/** Orders that are always found. */
export const foundOrder = (number: number) => 10_002 + 10 * number;

/** Whether the agent finds an order, told from the order's number and that of the attempt. */
export function isFound(order: number, attempt: number): boolean {
  if (order % 10 === 0) return false;
  return order % 10 !== 1 || attempt !== 2;
}

export const openingFor = (order: number) => `I want to move order ${order} to Friday.`;
export const callersWords = (order: number) => `Please move order ${order} to Friday, as I said.`;
export const agentsWords = (order: number, found: boolean) =>
  found ? `Order ${order} ${FOUND} for Friday.` : `Order ${order} is not in our list.`;

/** @returns 0 where no order is named. */
export const orderIn = (text: string): number => Number(/[Oo]rder (\d{5})/.exec(text)?.[1] ?? 0);
