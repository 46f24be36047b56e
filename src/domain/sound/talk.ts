import type { HeardTalk } from './heard-call.ts';
import type { Span } from './speech.ts';

/** Pauses within what somebody says are shorter. */
const JOIN_MS = 600;
/** What is shorter, spoken into the other's speech, is a murmur. */
const MURMUR_MS = 600;
/** Who begins this shortly after the other began at the same time. */
const TOGETHER_MS = 200;
/** Speech that meets for less is no interruption. */
const OVERLAP_MS = 50;
const STOPPED_WITHIN_MS = 1_000;
const RESUMED_WITHIN_MS = 4_000;

/** Who waited for whom. Both lists in order, and neither overlaps itself. */
export function readTalk(callerSpans: readonly Span[], agentSpans: readonly Span[]): HeardTalk {
  const caller = utterances(callerSpans, agentSpans);
  const agent = utterances(agentSpans, callerSpans);
  return {
    answers: answersTo(caller, agent),
    bargeIns: caller.flatMap((said) => {
      const into = speakingAt(agent, said.startMs);
      if (into === undefined || lengthOf(said) < MURMUR_MS) return [];
      return [{ atMs: said.startMs, yieldMs: into.endMs - said.startMs }];
    }),
    interruptions: agent.flatMap((said) => {
      const into = speakingAt(caller, said.startMs);
      const overlapMs = into === undefined ? 0 : Math.min(into.endMs, said.endMs) - said.startMs;
      return overlapMs < OVERLAP_MS ? [] : [{ atMs: said.startMs, overlapMs }];
    }),
    falseStops: caller.flatMap((said) => {
      const into = speakingAt(agent, said.startMs);
      if (into === undefined || lengthOf(said) >= MURMUR_MS) return [];
      const again = agent.find(({ startMs }) => startMs > into.endMs);
      const isStopped = into.endMs - said.startMs <= STOPPED_WITHIN_MS;
      if (!isStopped || again === undefined || again.startMs - into.endMs > RESUMED_WITHIN_MS) return [];
      return [{ atMs: said.startMs, pauseMs: again.startMs - into.endMs }];
    }),
  };
}

/** Joins what somebody says with short pauses, but for where the other begins to speak in one. */
function utterances(spans: readonly Span[], others: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const isPause = last !== undefined && span.startMs - last.endMs < JOIN_MS;
    if (isPause && !others.some(({ startMs }) => startMs >= last.endMs && startMs < span.startMs)) {
      last.endMs = span.endMs;
    } else {
      joined.push({ ...span });
    }
  }
  return joined;
}

function answersTo(caller: readonly Span[], agent: readonly Span[]): HeardTalk['answers'] {
  return caller.flatMap(({ endMs }, at) => {
    // While the agent speaks nobody waits for it.
    if (agent.some((said) => said.startMs < endMs && said.endMs > endMs)) return [];
    const next = caller[at + 1]?.startMs ?? Number.POSITIVE_INFINITY;
    const answer = agent.find(({ startMs }) => startMs >= endMs);
    if (answer === undefined || answer.startMs >= next) return [];
    return [{ endMs, startMs: answer.startMs, gapMs: answer.startMs - endMs }];
  });
}

/** Who spoke already when the other began. */
const speakingAt = (spans: readonly Span[], ms: number): Span | undefined =>
  spans.find(({ startMs, endMs }) => startMs + TOGETHER_MS <= ms && endMs > ms);

const lengthOf = ({ startMs, endMs }: Span): number => endMs - startMs;
