import { type Activities, aroundEach } from './around-each.ts';
import { withHeartbeat } from './with-heartbeat.ts';

/** So much is under way at once in this process; whoever comes later waits its turn. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Lends the slot of whoever uses one to others for as long as this waits. */
  async lend(wait: () => Promise<void>): Promise<void> {
    this.#giveToNext();
    try {
      await wait();
    } catch (error) {
      // Whoever fails ends at once, and does not wait for a slot to give back: the next that comes free is that one.
      this.#free -= 1;
      throw error;
    }
    await this.take();
  }

  #giveToNext(): void {
    const next = this.#free < 0 ? undefined : this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }

  /** @returns what gives the slot to the next, to be called once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#giveToNext();
  }
}

/** Each run of an activity takes a slot for as long as it lasts; it beats while it waits for one. */
export function eachInASlot<Made extends Activities>(slots: Slots, activities: Made): Made {
  return aroundEach(activities, async (run) => {
    const release = await withHeartbeat(
      () => ({ waitsFor: 'a slot' }),
      () => slots.take(),
    );
    try {
      return await run();
    } finally {
      release();
    }
  });
}
