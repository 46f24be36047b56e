import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { answered, type CallDraft, called } from './draft.ts';
import type { Told } from './talk/talk.ts';
import { isPlaceholder } from './talk/talk.ts';

/**
 * Tools that stand only among what models answered and were given: called at the end of one answer, and answered before
 * the next one. Those that have spans of their own are told by these.
 */
export function addTalkedTools(
  draft: CallDraft,
  told: readonly Told[],
  spans: readonly { id: string | null; name: string }[],
): void {
  const talked = new Set(told.map(({ call }) => call?.id ?? null));
  const byId = new Set(spans.map(({ id }) => id).filter((id) => id !== null && talked.has(id)));
  const left = Map.groupBy(
    spans.filter(({ id }) => !byId.has(id)),
    ({ name }) => name,
  );
  // A tool's span that no call names belongs to the first call of that tool that has no span of its own.
  const takesSpan = (name: string | null) => left.get(name ?? '')?.pop() !== undefined;
  const known = new Set<string>();
  const names = new Map<string, string>();
  const spanned: Told[] = [];
  for (const item of told) {
    const { call, result, atMs } = item;
    if (call) {
      if (call.id !== null) names.set(call.id, call.name);
      if ((call.id !== null && (byId.has(call.id) || known.has(call.id))) || takesSpan(call.name)) {
        spanned.push(item);
        continue;
      }
      if (call.id !== null) known.add(call.id);
      draft.turns.push(called(call, atMs));
    } else if (result && !isPlaceholder(result.body) && !isOfSpan(item, byId, spanned)) {
      const name = result.name ?? (result.id === null ? null : (names.get(result.id) ?? null));
      const { ok } = judgeToolBody(result.body);
      const verdict = ok === null ? ({ ok, okSource: 'unknown' } as const) : ({ ok, okSource: 'body' } as const);
      draft.turns.push(answered({ id: result.id, name, body: result.body, latencyMs: null, ...verdict }, atMs));
    }
  }
}

function isOfSpan({ result }: Told, byId: ReadonlySet<string | null>, spanned: Told[]): boolean {
  if (result === null) return false;
  if (result.id !== null) return byId.has(result.id) || spanned.some(({ call }) => call?.id === result.id);
  const at = spanned.findIndex(({ call }) => call?.id === null && (result.name === null || call.name === result.name));
  if (at < 0) return false;
  spanned.splice(at, 1);
  return true;
}
