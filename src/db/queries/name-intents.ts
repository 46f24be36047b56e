import type { StandingCall, StandingIntent } from './analysis-context.ts';

/** The signature of `assignIntents` (src/domain/calls/intents.ts). */
export interface KnownIntent {
  kind: 'intent' | 'use_case' | 'sub_use_case';
  slug: string;
  label: string;
  terms: Record<string, number>;
  calls: number;
}
export type AssignIntents = (
  known: KnownIntent[],
  calls: { callId: string; requests: string[]; objective: string }[],
) => {
  intents: KnownIntent[];
  byCall: Map<string, { intent: string; useCase: string; subUseCase: string }>;
};

export interface CallSlugs {
  intent: string | null;
  useCase: string | null;
  subUseCase: string | null;
  persona: string;
}

interface NamedCall {
  analysis: { requests: { turn: number; text: string }[]; objective: string; personaSlug: string };
  standing: StandingCall;
}

/**
 * Gives each call its intents: a call read again with the same requests keeps those it had, so that nothing moves
 * without new words. Counts of calls are kept by difference, whatever the naming says about them.
 * @returns the intents that are new or changed, and the slugs by call.
 */
export function nameIntents(
  standing: StandingIntent[],
  batch: NamedCall[],
  assignIntents: AssignIntents,
): { changed: StandingIntent[]; slugs(callId: string): CallSlugs } {
  const fresh = batch.filter((item) => !keepsIntents(item));
  const known = standing.flatMap(({ kind, ...intent }) => (kind === 'persona' ? [] : [{ ...intent, kind }]));
  const given = assignIntents(
    known,
    fresh.map(({ standing: call, analysis }) => ({
      callId: call.id,
      requests: analysis.requests.map((request) => request.text),
      objective: analysis.objective,
    })),
  );
  const slugs = (item: NamedCall): CallSlugs => {
    const named = given.byCall.get(item.standing.id);
    const { intent_slug, use_case_slug, sub_use_case_slug } = item.standing;
    return {
      intent: named?.intent ?? intent_slug,
      useCase: named?.useCase ?? use_case_slug,
      subUseCase: named?.subUseCase ?? sub_use_case_slug,
      persona: item.analysis.personaSlug,
    };
  };
  const byCall = new Map(batch.map((item) => [item.standing.id, slugs(item)]));
  return {
    changed: changedIntents(standing, given.intents, batch, byCall),
    slugs: (callId) => byCall.get(callId) ?? { intent: null, useCase: null, subUseCase: null, persona: 'unknown' },
  };
}

function keepsIntents({ standing, analysis }: NamedCall): boolean {
  return (
    standing.intent_slug !== null &&
    standing.objective === analysis.objective &&
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
      ['intent', call.intent_slug, now?.intent ?? null],
      ['use_case', call.use_case_slug, now?.useCase ?? null],
      ['sub_use_case', call.sub_use_case_slug, now?.subUseCase ?? null],
      ['persona', call.persona_slug, analysis.personaSlug],
    ] as const) {
      if (call.state === 'analysed') count(kind, was, -1);
      count(kind, is, 1);
    }
    const slug = analysis.personaSlug;
    personas.set(slug, { kind: 'persona', slug, label: labelOf(slug), terms: {}, calls: 0 });
  }
  return [...named, ...personas.values()].flatMap((intent) => {
    const old = before.get(id(intent.kind, intent.slug));
    const by = change.get(id(intent.kind, intent.slug)) ?? 0;
    const same = old && by === 0 && old.label === intent.label && sameTerms(old.terms, intent.terms);
    return same ? [] : [{ ...intent, calls: (old?.calls ?? 0) + by }];
  });
}

function sameTerms(a: Record<string, number>, b: Record<string, number>): boolean {
  const terms = Object.keys(a);
  return terms.length === Object.keys(b).length && terms.every((term) => a[term] === b[term]);
}

function labelOf(slug: string): string {
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return words === '' ? 'Unknown' : words.charAt(0).toUpperCase() + words.slice(1);
}
