import { discoverIntents } from '../../src/domain/calls/intent-discovery.ts';
import { assignIntents, type CallIntents, type IntentCall } from '../../src/domain/calls/intents.ts';
import type { KnownIntent } from '../../src/domain/calls/known-intent.ts';

const PAGE = 100;
const GROWTH = 1.25;
const SETTLED_FROM = 2000;

/**
 * What the product does with an import of these calls, without its database: pages get the intents that are known;
 * intents are looked for while more calls are on their way, and anew when all of an import have come.
 */
export function discoverCalls(
  calls: readonly IntentCall[],
  imports = 1,
): { known: KnownIntent[]; byCall: Map<string, CallIntents> } {
  let known: KnownIntent[] = [];
  const byCall = new Map<string, CallIntents>();
  const stored: IntentCall[] = [];
  let last = 0;
  const group = (coming: boolean) => {
    const settled = last >= SETTLED_FROM;
    const grown = stored.length > last && stored.length >= last * GROWTH;
    if (settled ? !grown : coming ? !grown || stored.length >= SETTLED_FROM : stored.length === last) return;
    last = stored.length;
    const sample = stored
      .slice(-SETTLED_FROM)
      .map((call) => ({ ...call, intent: byCall.get(call.callId)?.intent ?? null }))
      .sort((a, b) => (a.callId < b.callId ? -1 : 1));
    const found = discoverIntents(known, sample, { settled, seed: 20_261_121 });
    known = found.intents;
    for (const [id, intents] of found.byCall) byCall.set(id, intents);
    const counts = Map.groupBy(byCall.values(), ({ intent }) => intent);
    for (const one of known) if (one.kind === 'intent') one.calls = counts.get(one.slug)?.length ?? 0;
  };
  const share = Math.ceil(calls.length / imports);
  for (let start = 0; start < calls.length; start += share) {
    const part = calls.slice(start, start + share);
    for (let at = 0; at < part.length; at += PAGE) {
      const page = part.slice(at, at + PAGE);
      const assigned = assignIntents(known, page);
      known = assigned.intents;
      for (const [id, intents] of assigned.byCall) byCall.set(id, intents);
      stored.push(...page);
      if (at === 0) group(true);
    }
    group(false);
  }
  return { known, byCall };
}
