import { createMarkReader, type Mark, markText, type TextPart } from '../../domain/copilot/citation-marks.ts';
import type { Citation } from '../../domain/copilot/copilot.ts';
import type { AnswerWriter } from './answer-writer.ts';

/** Looks up what a mark names, for whoever asked. Null: it does not exist for them. */
export type Cite = (mark: Mark) => Promise<Omit<Citation, 'number'> | null>;

export interface CitedText {
  add(text: string): void;
  /** Everything that was added has been told. */
  settle(): Promise<void>;
  readonly citations: readonly Citation[];
  /** Whether anything was said so far. */
  hasText(): boolean;
}

/**
 * Words of the model on their way to a reader: its marks become numbers of citations, once what they name was found, and
 * those that name nothing go.
 */
export function createCitedText(cite: Cite, writer: AnswerWriter): CitedText {
  const marks = createMarkReader();
  const citations: Citation[] = [];
  const known = new Map<string, Citation | null>();
  let told: Promise<void> = Promise.resolve();
  let hasText = false;

  async function citationOf(mark: Mark): Promise<Citation | null> {
    const name = markText(mark);
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = await cite(mark);
    const citation = found && { number: citations.length + 1, ...found };
    known.set(name, citation);
    if (citation) {
      citations.push(citation);
      writer.event('citation', { citation });
    }
    return citation;
  }

  async function tell(parts: readonly TextPart[]): Promise<void> {
    for (const part of parts) {
      if ('text' in part) writer.text(part.text);
      else {
        const citation = await citationOf(part.mark);
        if (citation) writer.text(`[^${citation.number}]`);
      }
    }
  }

  function then(parts: readonly TextPart[]): void {
    told = told.then(() => tell(parts));
    // Whoever settles hears of it.
    told.catch(() => {});
  }

  return {
    citations,
    hasText: () => hasText,
    add(text) {
      hasText = true;
      then(marks.read(text));
    },
    async settle() {
      then(marks.end());
      await told;
    },
  };
}
