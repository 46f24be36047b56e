import { callRefsOf, isWholeCall } from './call-refs.ts';
import type { SentSpan } from './span.ts';

/** Where a span stands among the others. */
export interface Place {
  /** The nearest span that stands for a whole call: itself, or one above it. */
  whole: SentSpan | null;
  /** What it and those above it call their call, the nearest first. */
  refs: readonly string[];
  /** The id of the topmost span above it, where that one did not come in. */
  missingId: string | null;
}

/** As many names as calls have, with room: a list would grow with each level of a chain that names another every time. */
const REFS_MAX = 20;

/** Looks up from each span to the top, at every span once. */
export class Places {
  readonly #byId: ReadonlyMap<string, SentSpan>;
  readonly #known = new Map<SentSpan, Place>();

  constructor(spans: readonly SentSpan[]) {
    this.#byId = new Map(spans.map((span) => [idOf(span), span]));
  }

  of(span: SentSpan): Place {
    const passed = new Set<SentSpan>();
    let at: SentSpan | undefined = span;
    // Parents that go round in a circle end where it closes.
    while (at !== undefined && !this.#known.has(at) && !passed.has(at)) {
      passed.add(at);
      at = this.#parentOf(at);
    }
    let place = at && this.#known.get(at);
    for (const below of [...passed].reverse()) {
      place = place ? placeBelow(below, place) : this.#topmost(below);
      this.#known.set(below, place);
    }
    return place ?? this.#topmost(span);
  }

  #parentOf({ traceId, parentId }: SentSpan): SentSpan | undefined {
    return parentId === null ? undefined : this.#byId.get(`${traceId} ${parentId}`);
  }

  #topmost(span: SentSpan): Place {
    const own = callRefsOf(span);
    return {
      whole: isWholeCall(span) ? span : null,
      // Who runs one process a call may name it beside all of its spans.
      refs: own.length > 0 ? own : callRefsOf({ attributes: span.resource }),
      missingId: this.#parentOf(span) ? null : span.parentId,
    };
  }
}

export const idOf = ({ traceId, spanId }: SentSpan) => `${traceId} ${spanId}`;

function placeBelow(span: SentSpan, { whole, refs, missingId }: Place): Place {
  const own = callRefsOf(span);
  const adds = own.some((ref, at) => ref !== refs[at]);
  return {
    whole: isWholeCall(span) ? span : whole,
    refs: adds ? [...new Set([...own, ...refs])].slice(0, REFS_MAX) : refs,
    missingId,
  };
}
