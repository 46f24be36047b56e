/** Slots that are shared among owners. Each that is taken is given back. */
export interface FairSlots {
  take(owner: string): Promise<void>;
  giveBack(owner: string): void;
}

/**
 * Whoever holds the fewest slots is next, and among equals those who wait take turns: an owner with a thousand things to
 * do holds up another by what is at work, never by what waits.
 */
export function createFairSlots(slots: number): FairSlots {
  const held = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let free = slots;
  const heldBy = (owner: string) => held.get(owner) ?? 0;
  const hand = (owner: string) => held.set(owner, heldBy(owner) + 1);

  function handOn(): void {
    const [owner] = [...waiting.keys()].toSorted((a, b) => heldBy(a) - heldBy(b));
    if (owner === undefined) {
      free += 1;
      return;
    }
    const [first, ...others] = waiting.get(owner) ?? [];
    // Entered anew, behind the others.
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    hand(owner);
    first?.();
  }

  return {
    async take(owner) {
      if (free > 0) {
        free -= 1;
        hand(owner);
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(owner, [...(waiting.get(owner) ?? []), resolve]);
      await promise;
    },
    giveBack(owner) {
      if (heldBy(owner) <= 1) held.delete(owner);
      else held.set(owner, heldBy(owner) - 1);
      handOn();
    },
  };
}
