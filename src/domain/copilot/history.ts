import { markText } from './citation-marks.ts';
import { ANSWER_BOUNDS, type Citation } from './copilot.ts';

export interface SaidMessage {
  role: 'person' | 'copilot';
  text: string;
  citations: readonly Citation[];
}

/** What was said before, as far as there is room, the newest kept; it begins with a question. */
export function historyFor(messages: readonly SaidMessage[]): { role: 'person' | 'copilot'; text: string }[] {
  const kept: { role: 'person' | 'copilot'; text: string }[] = [];
  let used = 0;
  for (const message of messages.toReversed()) {
    const text = withMarks(message);
    used += text.length;
    if (used > ANSWER_BOUNDS.historyCharacters) break;
    if (text.trim() !== '') kept.unshift({ role: message.role, text });
  }
  const first = kept.findIndex(({ role }) => role === 'person');
  return first < 0 ? [] : kept.slice(first);
}

/** Numbers of citations as the marks that they were made of. */
function withMarks({ text, citations }: SaidMessage): string {
  const marks = new Map(citations.map((citation) => [String(citation.number), markText(citation)]));
  return text.replaceAll(/\[\^(\d{1,4})\]/g, (_, number: string) => marks.get(number) ?? '');
}

/** Which results the model still reads, from the first on: the newest that there is room for. */
export function firstShown(lengths: readonly number[]): number {
  let used = 0;
  for (let at = lengths.length - 1; at >= 0; at -= 1) {
    used += lengths[at] ?? 0;
    if (used > ANSWER_BOUNDS.resultsCharacters) return at + 1;
  }
  return 0;
}
