import { nap, openEvents } from '../../client/server-events.ts';
import { type AnswerEvent, isEnd } from './answer.ts';

/** Times that a line may break, one after the other without a word between them. */
const TRIES = 6;
const PAUSE_MS = 500;

interface Listening {
  /** Address of the conversation. */
  path: string;
  /** What is asked; null where an answer that is going on is followed. */
  question: string | null;
  signal: AbortSignal;
  onEvent: (event: AnswerEvent) => void;
}

/**
 * Hears an answer to its end. It is made apart from the line that tells it, so that a line that breaks is taken up where
 * it broke. @throws the server's refusal, or the line where it stays broken.
 */
export async function listen({ path, question, signal, onEvent }: Listening): Promise<void> {
  let lastEventId: string | undefined;
  let asked = question === null;
  for (let broken = 0; !signal.aborted; broken += 1) {
    try {
      const events = asked
        ? await openEvents(`${path}/events`, { signal, lastEventId })
        : await openEvents(`${path}/messages`, { signal, body: { text: question } });
      asked = true;
      for await (const { id, data } of events) {
        const event = JSON.parse(data) as AnswerEvent;
        [lastEventId, broken] = [id, 0];
        onEvent(event);
        if (isEnd(event)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!asked || broken >= TRIES || !(error instanceof Error)) throw error;
    }
    await nap(PAUSE_MS * 2 ** broken, signal);
  }
}
