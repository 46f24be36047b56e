interface Sharing {
  /** Beyond the others, for owners who hold none: whoever holds all of them keeps nobody else from a first one. */
  spare?: number;
  /** How many one owner holds at most. */
  mostOfOne?: number;
}

/**
 * So much is under way at once in this process; whoever comes later waits its turn. Of those who wait the owner who holds
 * the fewest is next, so that a workspace with a thousand slow addresses holds up others by none of what waits.
 */
export class Slots {
  readonly #count: number;
  readonly #spare: number;
  readonly #mostOfOne: number;
  readonly #held = new Map<string, number>();
  #waiting: { owner: string; begin: () => void }[] = [];
  #total = 0;

  constructor(count: number, { spare = 1, mostOfOne = Number.POSITIVE_INFINITY }: Sharing = {}) {
    this.#count = count;
    this.#spare = spare;
    this.#mostOfOne = mostOfOne;
  }

  async use<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const release = await this.take(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Lends the slot of whoever uses one to others for as long as this waits. */
  async lend(owner: string, wait: () => Promise<void>): Promise<void> {
    this.#giveBack(owner);
    try {
      await wait();
    } catch (error) {
      // Whoever fails ends at once, and does not wait for a slot to give back: the next that comes free is that one.
      this.#hand(owner);
      throw error;
    }
    await this.take(owner);
  }

  /** How many wait for a slot of an owner. */
  waitingOf(owner: string): number {
    return this.#waiting.filter((one) => one.owner === owner).length;
  }

  /** @returns what gives the slot to the next, to be called once. @throws the signal's reason, once nobody waits any more. */
  async take(owner: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#mayHold(owner)) this.#hand(owner);
    else {
      await new Promise<void>((begin, reject) => {
        const one = { owner, begin };
        this.#waiting.push(one);
        signal?.addEventListener('abort', () => {
          if (!this.#waiting.includes(one)) return;
          this.#waiting = this.#waiting.filter((other) => other !== one);
          reject(signal.reason);
        });
      });
    }
    return () => this.#giveBack(owner);
  }

  #heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  #mayHold(owner: string): boolean {
    const held = this.#heldBy(owner);
    return held < this.#mostOfOne && this.#total < this.#count + (held === 0 ? this.#spare : 0);
  }

  #hand(owner: string): void {
    this.#held.set(owner, this.#heldBy(owner) + 1);
    this.#total += 1;
  }

  #giveBack(owner: string): void {
    if (this.#heldBy(owner) <= 1) this.#held.delete(owner);
    else this.#held.set(owner, this.#heldBy(owner) - 1);
    this.#total -= 1;
    const [next] = this.#waiting
      .filter((one) => this.#mayHold(one.owner))
      .toSorted((a, b) => this.#heldBy(a.owner) - this.#heldBy(b.owner));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#hand(next.owner);
    next.begin();
  }
}
