import type { CallListing } from '../../src/platforms/port.ts';
import type { Reading } from './call-or-reason.ts';
import type { PageTotals, PartialPage } from './page.ts';
import type { StoredReadings } from './store-readings.ts';

const REASON_LENGTH_MAX = 200;

/** Adds up what became of a page's records, over the tries that it took; each record counts once. */
export class PageTally {
  readonly handled: Set<string>;
  tries: number;
  /** Over all tries: the platform's list may lack what it showed before. */
  readonly #listed: Set<string>;
  readonly #ongoing = new Set<string>();
  readonly #totals: PageTotals & { stillFailed: number };
  readonly #callIds: Set<string>;
  readonly #reasons: Map<string, number>;

  constructor(earlier: PartialPage | null) {
    this.handled = new Set(earlier?.handled);
    this.tries = earlier?.tries ?? 0;
    this.#listed = new Set(earlier?.handled);
    this.#totals = {
      listed: 0,
      callIds: [],
      stillFailed: earlier?.stillFailed ?? 0,
      unchanged: earlier?.unchanged ?? 0,
      ongoing: earlier?.ongoing ?? 0,
      gone: earlier?.gone ?? 0,
      failed: earlier?.failed ?? 0,
      reasons: [],
      oldestOngoingAt: earlier?.oldestOngoingAt ?? null,
    };
    this.#callIds = new Set(earlier?.callIds);
    this.#reasons = new Map(earlier?.reasons.map(({ reason, calls }) => [reason, calls]));
  }

  /** Calls that still go on are left for the next poll. */
  list(items: readonly CallListing[]): void {
    for (const { providerCallId } of items) this.#listed.add(providerCallId);
    for (const item of items) if (!item.over) this.#leaveOngoing(item.providerCallId, item.startedAt);
  }

  /** Known, and read again another time. @param failed it is no call: an earlier import kept it with a reason */
  skip(ref: string, { failed }: { failed: boolean }): void {
    this.handled.add(ref);
    if (failed) this.#totals.stillFailed += 1;
    else this.#totals.unchanged += 1;
  }

  add(readings: readonly Reading[], stored: StoredReadings, startedAt: (ref: string) => string | null): void {
    for (const { ref, state } of readings) {
      if (state === 'ongoing') this.#leaveOngoing(ref, startedAt(ref));
      else if (state === 'gone') this.#totals.gone += 1;
      this.handled.add(ref);
    }
    for (const id of stored.callIds) this.#callIds.add(id);
    this.#totals.unchanged += stored.unchanged;
    this.#totals.failed += stored.failedReasons.length;
    for (const text of stored.failedReasons) {
      const reason = text.slice(0, REASON_LENGTH_MAX);
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
  }

  /** Whether this try of the page saw the call go on. */
  goesOn(ref: string): boolean {
    return this.#ongoing.has(ref);
  }

  totals(): PageTotals {
    const reasons = [...this.#reasons].map(([reason, calls]) => ({ reason, calls }));
    return { ...this.#totals, listed: this.#listed.size, callIds: [...this.#callIds], reasons };
  }

  partial(): PartialPage {
    return { ...this.totals(), listed: this.handled.size, handled: [...this.handled], tries: this.tries };
  }

  #leaveOngoing(ref: string, startedAt: string | null): void {
    if (this.handled.has(ref)) return;
    this.handled.add(ref);
    this.#ongoing.add(ref);
    this.#totals.ongoing += 1;
    const { oldestOngoingAt } = this.#totals;
    if (startedAt !== null && (oldestOngoingAt === null || startedAt < oldestOngoingAt)) {
      this.#totals.oldestOngoingAt = startedAt;
    }
  }
}
