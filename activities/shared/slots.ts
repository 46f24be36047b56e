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

  /** @returns what gives the slot to the next, to be called once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
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
