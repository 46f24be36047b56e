import { createStore, type Store } from '../../client/store.ts';
import { type Answer, hear, UNHEARD } from './answer.ts';
import { listen } from './listen.ts';

export interface Live {
  /** What was asked just now; null where an answer was found going on. */
  question: string | null;
  answer: Answer;
}

/** The one answer that is heard at a time. */
export interface Line {
  live: Store<Live | null>;
  /** Why the last one could not be heard. */
  error: Store<unknown>;
  /** @returns whether it was heard to its end, or was left for another. */
  hearOut(path: string, question: string | null): Promise<boolean>;
  close(): void;
}

/** @param onEnd reads afresh what the answer left behind. */
export function createLine(onEnd: () => Promise<unknown>): Line {
  const live = createStore<Live | null>(null);
  const error = createStore<unknown>(null);
  let open: AbortController | null = null;
  return {
    live,
    error,
    async hearOut(path, question) {
      open?.abort();
      const mine = new AbortController();
      open = mine;
      error.set(null);
      live.set({ question, answer: UNHEARD });
      const { signal } = mine;
      const problem = await listen({
        path,
        question,
        signal,
        onEvent: (event) => live.set({ question, answer: hear(live.get()?.answer ?? UNHEARD, event) }),
      }).catch((reason: unknown) => reason);
      if (signal.aborted) return true;
      error.set(problem ?? null);
      await onEnd();
      if (open === mine) live.set(null);
      return problem === undefined;
    },
    close: () => open?.abort(),
  };
}
