import type { Embed } from '../../src/db/intents/settle-intents.ts';
import { type Embedder, ModelError } from '../../src/models/port.ts';

const TEXT_AT_MOST = 1000;

/**
 * Vectors of what callers asked for, at most a sample of calls at a time. Where the model gives none, words alone decide and
 * the note says why; nothing waits for it.
 */
export function embedWith(embedder: Embedder | null): Embed | null {
  if (embedder === null) return null;
  return async (texts) => {
    try {
      return { vectors: await vectorsOf(embedder, texts), model: embedder.model, note: null };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const note = `The embedding model gave no vectors, so words alone decided: ${error.message}`;
      return { vectors: null, model: embedder.model, note };
    }
  };
}

async function vectorsOf(embedder: Embedder, texts: readonly string[]): Promise<(number[] | null)[]> {
  const asked = [...texts.entries()].filter(([, text]) => text.trim() !== '');
  const answers = await embedder.embed(asked.map(([, text]) => text.slice(0, TEXT_AT_MOST)));
  const vectors: (number[] | null)[] = texts.map(() => null);
  for (const [at, [place]] of asked.entries()) vectors[place] = answers[at] ?? null;
  return vectors;
}
