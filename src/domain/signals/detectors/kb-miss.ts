import { quoteResult } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { KNOWLEDGE } from '../../words/tools/names.ts';
import type { Detector } from '../catalogue-entry.ts';
import { KB_MISS } from '../entries/tools.ts';
import { toolPlace } from '../places.ts';

/** A look into the knowledge base that brought nothing. */
export const kbMiss: Detector = {
  entry: KB_MISS,
  detect(reading) {
    const looked = reading.tools.filter(isKnowledge);
    const known = (reading.configuration?.tools ?? []).some((tool) =>
      isKnowledgeName(tool.name.toLowerCase().split(/[^a-z]+/)),
    );
    if (looked.length === 0 && !known)
      return { reason: 'The agent has no tool that looks into a knowledge base, as far as the record shows.' };
    return looked
      .filter((use) => use.resultTurn !== null && use.ok !== false && use.refusal)
      .map((use) => ({
        turnIndex: use.resultTurn ?? 0,
        quote: quoteResult(use),
        detail: `"${use.name}" found nothing.`,
        place: toolPlace(use),
        confidence: 1,
        candidate: true,
      }));
  },
};

function isKnowledge(use: ToolUse): boolean {
  return isKnowledgeName(use.nameWords);
}

function isKnowledgeName(words: readonly string[]): boolean {
  return words.some((word) => KNOWLEDGE.has(word));
}
