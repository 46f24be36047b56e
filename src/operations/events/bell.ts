import { type Listener, listen } from '../../db/listen.ts';
import { EVENTS_CHANNEL } from '../../db/queries/events.ts';

/** One stream's ear: it hears that something happened, and reads what from the database. */
export interface Ear {
  /** @returns true when something happened since the last time, false when nothing did for that long. */
  next(withinMs: number): Promise<boolean>;
  /** True once nobody will ring any more: the process ends, or a newer stream took this one's place. */
  ended(): boolean;
  end(): void;
}

export interface Bell {
  listen(workspaceId: string, personId: string): Ear;
  close(): Promise<void>;
}

/** A browser with more tabs than this reconnects its oldest ones in turn; nobody can hold streams without bound. */
const STREAMS_A_PERSON = 10;

/** One connection a process listens for all streams, from the first stream on. It carries no events, so nothing piles up. */
export function createBell(databaseUrl: string): Bell {
  const streams = new Set<Stream>();
  let listener: Listener | null = null;
  let closed = false;

  return {
    listen(workspaceId, personId) {
      listener ??= listen(databaseUrl, EVENTS_CHANNEL, (rung) => {
        // Without a payload the connection is new, and whatever was sent meanwhile was missed.
        for (const stream of streams) if (rung === undefined || rung === stream.workspaceId) stream.ring();
      });
      const own = [...streams].filter((stream) => stream.personId === personId);
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - STREAMS_A_PERSON))) oldest.end();
      const stream = new Stream(workspaceId, personId, () => streams.delete(stream));
      streams.add(stream);
      if (closed) stream.end();
      return stream;
    },
    async close() {
      closed = true;
      for (const stream of streams) stream.end();
      await listener?.close();
      listener = null;
    },
  };
}

class Stream implements Ear {
  readonly workspaceId: string;
  readonly personId: string;
  readonly #onEnd: () => void;
  #rung = false;
  #over = false;
  #wake: (() => void) | null = null;

  constructor(workspaceId: string, personId: string, onEnd: () => void) {
    this.workspaceId = workspaceId;
    this.personId = personId;
    this.#onEnd = onEnd;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async next(withinMs: number): Promise<boolean> {
    if (!this.#rung && !this.#over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }

  ended(): boolean {
    return this.#over;
  }

  end(): void {
    this.#over = true;
    this.#onEnd();
    this.#wake?.();
  }
}
