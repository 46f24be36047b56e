import { EVENTS_CHANNEL } from '../../db/events/events.ts';
import { type Listener, listen } from '../../db/listen.ts';

/** One stream's subscription: it is told that something happened, and reads what from the database. */
export interface Subscription {
  /** @returns true when something happened since the last time, false when nothing did for that long. */
  next(withinMs: number): Promise<boolean>;
  /** True once nobody will be told any more: the process ends, or a newer stream took this one's place. */
  ended(): boolean;
  end(): void;
}

export interface EventBroadcaster {
  /** @param topic what the channel's notifications carry: the id of a workspace, of a conversation. */
  subscribe(topic: string, personId: string): Subscription;
  close(): Promise<void>;
}

/** A browser with more tabs than this reconnects its oldest ones in turn; nobody can hold streams without bound. */
const STREAMS_A_PERSON = 10;

/** One connection a process listens for all streams, from the first stream on. It carries no events, so nothing piles up. */
export function createEventBroadcaster(databaseUrl: string, channel: string = EVENTS_CHANNEL): EventBroadcaster {
  const streams = new Set<Stream>();
  let listener: Listener | null = null;
  let closed = false;

  return {
    subscribe(topic, personId) {
      listener ??= listen(databaseUrl, channel, (changed) => {
        // Without a payload the connection is new, and whatever was sent meanwhile was missed.
        for (const stream of streams) if (changed === undefined || changed === stream.topic) stream.tell();
      });
      const own = [...streams].filter((stream) => stream.personId === personId);
      for (const oldest of own.slice(0, Math.max(0, own.length + 1 - STREAMS_A_PERSON))) oldest.end();
      const stream = new Stream(topic, personId, () => streams.delete(stream));
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

class Stream implements Subscription {
  readonly topic: string;
  readonly personId: string;
  readonly #onEnd: () => void;
  #told = false;
  #over = false;
  #wake: (() => void) | null = null;

  constructor(topic: string, personId: string, onEnd: () => void) {
    this.topic = topic;
    this.personId = personId;
    this.#onEnd = onEnd;
  }

  tell(): void {
    this.#told = true;
    this.#wake?.();
  }

  async next(withinMs: number): Promise<boolean> {
    if (!this.#told && !this.#over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
    const told = this.#told;
    this.#told = false;
    return told;
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
