import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnswerKey,
  type CopilotEventView,
  finishAnswer,
  firstEventOf,
  type Progress,
  writeProgress,
} from '../../db/copilot/answers.ts';
import type { EntityManager } from '../../db/database.ts';
import type { AnswerEnd, Citation, Read } from '../../domain/copilot/copilot.ts';
import type { CopilotEventKind } from '../../domain/vocabulary.ts';

/** Words that come faster are told together. */
const SPACING_MS = 30;
/** Also while nothing is said, so that others see the answer alive and a wish to stop is heard. */
const BEAT_MS = 1_000;

export interface AnswerWriter {
  text(words: string): void;
  event(kind: CopilotEventKind, data: Record<string, unknown>): void;
  /** Writes what is left, then the end. */
  end(ended: AnswerEnd & { reads: readonly Read[]; citations: readonly Citation[] }): Promise<void>;
}

/**
 * Keeps an answer in the record while it is made, in the order of what is told. The first word goes at once; what comes
 * while a write is under way goes with the next.
 * @param onStop called when somebody wants it to end, or when it was ended elsewhere.
 * @param onBroken called when the record can't be written.
 */
export function createAnswerWriter(
  em: () => EntityManager,
  key: AnswerKey,
  { onStop, onBroken }: { onStop(): void; onBroken(error: unknown): void },
): AnswerWriter {
  let nextId = firstEventOf(key.position);
  let waiting: Progress = { events: [], text: '' };
  let writing: Promise<void> | null = null;

  const takeId = () => {
    nextId += 1;
    return nextId;
  };

  async function write(progress: Progress): Promise<void> {
    if (!(await writeProgress(em(), key, progress))) onStop();
  }

  async function writeWaiting(): Promise<void> {
    try {
      while (waiting.events.length > 0) {
        const progress = waiting;
        waiting = { events: [], text: '' };
        await write(progress);
        await sleep(SPACING_MS);
      }
    } catch (error) {
      onBroken(error);
    } finally {
      writing = null;
    }
  }

  function add(kind: CopilotEventKind, data: Record<string, unknown>): void {
    waiting.events.push({ id: takeId(), kind, data });
    writing ??= writeWaiting();
  }

  const beat = setInterval(() => {
    if (writing === null) write({ events: [], text: '' }).catch(onBroken);
  }, BEAT_MS);

  return {
    text(words) {
      const last = waiting.events.at(-1);
      waiting.text += words;
      if (last?.kind === 'text') last.data = joined(last, words);
      else add('text', { text: words });
    },
    event: add,
    async end(ended) {
      clearInterval(beat);
      while (writing !== null) await writing;
      await finishAnswer(em(), key, { ...ended, eventId: takeId() });
    },
  };
}

const joined = ({ data }: CopilotEventView, words: string) => ({ text: `${String(data.text)}${words}` });
