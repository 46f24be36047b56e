import type { Dialect } from './dialects.ts';

/**
 * Why no call was made of spans. `no_words`: they are of a talk, and hold nothing that was said or done. `no_talk`: none
 * of them is of a talk. `no_call`: they name no call, and none or several were going on. `too_many`: their call has more
 * spans than are read together.
 */
export const LEFT_REASONS = ['no_words', 'no_talk', 'no_call', 'too_many'] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

/** Spans of one library of which no call was made. */
export type LeftCount = {
  reason: LeftReason;
  /** A library that tells of talks, else the name under which the spans were made. */
  library: string;
  spans: number;
};

/** What helps, in a sentence. @param dialect of the spans; null where they are of no library that tells of talks */
export function adviceFor(reason: LeftReason, dialect: Pick<Dialect, 'contents'> | null): string {
  if (reason === 'no_words') {
    return dialect?.contents ?? 'Have the library that makes them write messages of models, or spans of turns.';
  }
  if (reason === 'no_talk') {
    return 'Trace the agent with a library that tells of its talks: LiveKit Agents, Pipecat, OpenLLMetry, OpenInference, Langfuse, LangSmith, or the GenAI conventions of OpenTelemetry.';
  }
  if (reason === 'no_call') {
    return 'Name the conversation on the spans: `gen_ai.conversation.id` or `session.id`; with Pipecat give the worker a `conversation_id`.';
  }
  return 'Give each call a name of its own: spans of many calls share one.';
}

/** Counts of the same reason and library together, the largest first. */
export function sumLeft(counts: Iterable<LeftCount>): LeftCount[] {
  const sums = new Map<string, LeftCount>();
  for (const { reason, library, spans } of counts) {
    const key = `${reason} ${library}`;
    const before = sums.get(key);
    if (before) before.spans += spans;
    else sums.set(key, { reason, library, spans });
  }
  return [...sums.values()].sort((a, b) => b.spans - a.spans || (a.library < b.library ? -1 : 1));
}

const LIBRARIES_NAMED = 5;

/** In sentences, for whoever sends the spans. */
export const tellLeft = (counts: readonly LeftCount[], dialectNamed: (library: string) => Dialect | null): string =>
  counts
    .slice(0, LIBRARIES_NAMED)
    .map((count) => `${sayLeft(count)} ${adviceFor(count.reason, dialectNamed(count.library))}`)
    .join(' ');

/** What became of spans, in a sentence. */
export function sayLeft({ reason, library, spans }: LeftCount): string {
  const [one, several] = SAYS[reason];
  const what = `${spans} ${spans === 1 ? 'span' : 'spans'} of ${library || 'a library without a name'}`;
  return `${what} ${spans === 1 ? one : several}.`;
}

const SAYS: Record<LeftReason, readonly [one: string, several: string]> = {
  no_words: ['holds nothing that was said or done', 'hold nothing that was said or done'],
  no_talk: ['tells of no conversation', 'tell of no conversation'],
  no_call: ['belongs to no call', 'belong to no call'],
  too_many: ['is more than is read of one call', 'are more than are read of one call'],
};
