import type { KnownIntent } from '../../domain/calls/known-intent.ts';
import type { StandingCall, StandingIntent } from '../analysis/analysis-context.ts';

/** The signature of `assignIntents` (src/domain/calls/intents.ts). */
export type AssignIntents = (
  known: KnownIntent[],
  calls: { callId: string; requests: string[]; objective: string; named: string | null }[],
) => {
  intents: KnownIntent[];
  byCall: Map<string, { intent: string; useCase: string; subUseCase: string | null; requestIntents?: string[] }>;
};

export interface CallSlugs {
  intent: string | null;
  /** For each request its own. */
  requestIntents: string[];
  useCase: string | null;
  subUseCase: string | null;
  persona: string;
}

interface NamedCall {
  analysis: {
    requests: { turn: number; text: string }[];
    objective: string;
    personaSlug: string;
    readIntent?: string;
  };
  standing: StandingCall;
}

/**
 * Gives each call its intents: a call read again with the same requests, of the same name, keeps those it had, so that nothing moves
 * without new words. Counts of calls are kept by difference, whatever the naming says about them.
 * @returns the intents that are new or changed, and the slugs by call.
 */
export function nameIntents(
  standing: StandingIntent[],
  batch: NamedCall[],
  assignIntents: AssignIntents,
): { changed: StandingIntent[]; slugs(callId: string): CallSlugs } {
  const fresh = batch.filter((item) => !keepsIntents(item));
  const known = standing.flatMap(({ kind, into, ...intent }) =>
    kind === 'persona' || into !== null ? [] : [{ ...intent, kind }],
  );
  const stands = aliasesOf(standing);
  const given = assignIntents(
    known,
    fresh.map(({ standing: call, analysis }) => ({
      callId: call.id,
      requests: analysis.requests.map((request) => request.text),
      objective: analysis.objective,
      named: analysis.readIntent ?? null,
    })),
  );
  const slugs = (item: NamedCall): CallSlugs => {
    const named = given.byCall.get(item.standing.id);
    const { intentSlug, useCaseSlug, subUseCaseSlug, requestIntents } = item.standing;
    return {
      intent: stands('intent', named?.intent ?? intentSlug),
      requestIntents: named ? (named.requestIntents ?? []) : requestIntents,
      useCase: stands('use_case', named?.useCase ?? useCaseSlug),
      subUseCase: stands('sub_use_case', named ? named.subUseCase : subUseCaseSlug),
      persona: stands('persona', item.analysis.personaSlug),
    };
  };
  const byCall = new Map(batch.map((item) => [item.standing.id, slugs(item)]));
  return {
    changed: changedIntents(standing, given.intents, batch, byCall),
    slugs: (callId) => byCall.get(callId) ?? NO_SLUGS,
  };
}

const NO_SLUGS: CallSlugs = { intent: null, requestIntents: [], useCase: null, subUseCase: null, persona: 'unknown' };

/** The slug that a slug stands for: another one after a merge, else itself. */
function aliasesOf(standing: readonly StandingIntent[]) {
  const into = new Map(standing.map((one) => [`${one.kind}/${one.slug}`, one.into ?? one.slug]));
  return <Slug extends string | null>(kind: StandingIntent['kind'], slug: Slug): string | Slug =>
    into.get(`${kind}/${slug}`) ?? slug;
}

function keepsIntents({ standing, analysis }: NamedCall): boolean {
  return (
    standing.intentSlug !== null &&
    standing.objective === analysis.objective &&
    standing.readIntent === (analysis.readIntent ?? null) &&
    JSON.stringify((standing.requests ?? []).map(({ text }) => text)) ===
      JSON.stringify(analysis.requests.map(({ text }) => text))
  );
}

function changedIntents(
  standing: StandingIntent[],
  named: KnownIntent[],
  batch: NamedCall[],
  byCall: Map<string, CallSlugs>,
): StandingIntent[] {
  const id = (kind: string, slug: string) => `${kind}/${slug}`;
  const before = new Map(standing.map((intent) => [id(intent.kind, intent.slug), intent]));
  const change = new Map<string, number>();
  const count = (kind: StandingIntent['kind'], slug: string | null, by: number) => {
    if (slug !== null) change.set(id(kind, slug), (change.get(id(kind, slug)) ?? 0) + by);
  };
  const personas = new Map<string, StandingIntent>();
  for (const { standing: call, analysis } of batch) {
    const now = byCall.get(call.id);
    for (const [kind, was, is] of [
      ['intent', call.intentSlug, now?.intent ?? null],
      ['use_case', call.useCaseSlug, now?.useCase ?? null],
      ['sub_use_case', call.subUseCaseSlug, now?.subUseCase ?? null],
      ['persona', call.personaSlug, now?.persona ?? null],
    ] as const) {
      if (call.state === 'analysed') count(kind, was, -1);
      count(kind, is, 1);
    }
    const slug = analysis.personaSlug;
    personas.set(slug, { ...NEW_ROW, kind: 'persona', slug, label: labelOf(slug) });
  }
  const rows = new Map([...named.map(rowOf), ...personas.values()].map((row) => [id(row.kind, row.slug), row]));
  // Slugs that were merged are no longer offered, but calls may still leave them.
  for (const old of standing) rows.set(id(old.kind, old.slug), old);
  return [...rows].flatMap(([key, row]) => {
    const old = before.get(key);
    const by = change.get(key) ?? 0;
    return old && by === 0 ? [] : [{ ...row, calls: (old?.calls ?? 0) + by }];
  });
}

const NEW_ROW = { terms: {}, calls: 0, parent: null, kept: false, into: null };

function rowOf(intent: KnownIntent): StandingIntent {
  return { ...NEW_ROW, ...intent, parent: intent.parent ?? null };
}

function labelOf(slug: string): string {
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return words === '' ? 'Unknown' : words.charAt(0).toUpperCase() + words.slice(1);
}
