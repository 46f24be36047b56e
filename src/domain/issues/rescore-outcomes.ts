import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import type { Place } from '../signals/signal.ts';
import { newcombe, share } from '../statistics.ts';
import type { Lane, Section } from '../vocabulary.ts';
import { type AgentFacts, type Base, baseReader, type GroupFacts, ownCallsOf, sumUp } from './facts.ts';
import { fellOnLive, fixDocument } from './live.ts';
import { type Candidate, type Nominations, nominate, type StepTable } from './nominate-causes.ts';
import { type Named, nameOutcome, readLeads, storedCause } from './outcome-cause.ts';
import { diagnosisOf } from './outcome-diagnosis.ts';
import { foldSameChange } from './outcome-fold.ts';
import {
  countNote,
  countTitle,
  outcomeCauseText,
  outcomeImproveNote,
  outcomeObserved,
  outcomeRecommendation,
  outcomeTitle,
} from './outcome-sentences.ts';
import { harmOf, impactOf, NO_ORDER_KEY, orderKey, type PriorityParts, priorityParts, tieBreak } from './priority.ts';
import { entryReader } from './rescore.ts';
import { NOT_ESTABLISHED_NOTE, OUTSIDE_NOTE, WITHDRAWN_NOTE } from './sentences.ts';
import type { IssueState } from './state.ts';

/** The issue of one step: its calls are those that ended badly there. */
export interface OutcomeFacts extends GroupFacts {
  step: Omit<StepTable, 'issueId'>;
}

export type LabelOf = (code: string, place: Pick<Place, 'kind' | 'id'>) => string;

/** The code of calls that ended badly at a step with nothing nominated. */
export const COUNT_CODE = 'outcome.flow';
const SYMPTOMS = [
  ['unresolved', 'Unresolved'],
  ['abandoned', 'Abandoned'],
  ['noContact', 'No contact'],
] as const;

/**
 * What the calls that ended badly at each step of an agent say: an issue where a signal before the end is tied to it,
 * else a mere count. Pure, in the order of `groups`; nothing is remembered but an established cause, so that what chance
 * names goes as it came.
 */
export function rescoreOutcomes(
  groups: readonly OutcomeFacts[],
  agent: AgentFacts,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  labelOf: LabelOf,
): IssueState[] {
  const entryOf = entryReader(catalogue);
  const nominations = nominate(groups.map((group) => ({ issueId: group.issueId, ...group.step })));
  const baseOf = baseReader(agent);
  const scored = groups.map((group) => {
    const candidates = nominations.candidates.get(group.issueId) ?? [];
    const named = nameOutcome(candidates, readLeads(group.causes), group.memory, entryOf);
    const base = baseOf(named?.candidate.code ?? '');
    const state = named
      ? namedState({ group, agent, base, named, candidates, nominations, entryOf, labelOf })
      : countState({ group, agent, base, candidates, nominations, entryOf });
    return { group, named, state };
  });
  return foldSameChange(scored);
}

interface Given {
  group: OutcomeFacts;
  agent: AgentFacts;
  base: Base;
  candidates: readonly Candidate[];
  nominations: Nominations;
  entryOf: (code: string) => CatalogueEntry;
}

function namedState(given: Given & { named: Named; labelOf: LabelOf }): IssueState {
  const { group, agent, named, labelOf } = given;
  const { entry, cause, candidate } = named;
  const target = targetOf(named, group.place, labelOf);
  const volume = cause?.calls ?? candidate.with.k;
  const lane: Lane = entry.lane ?? 'flow';
  const parts = partsOf(given, entry, volume, candidate);
  const key = orderKey(parts, agent.newestCallAt) + tieBreak(group.key);
  const text = cause ? outcomeCauseText(named) : outcomeObserved(named);
  return {
    ...commonState(given, parts),
    title: outcomeTitle(named, group.place.label),
    klass: entry.klass,
    lane,
    severity: entry.severity,
    confirmed: true,
    causeCode: cause ? storedCause(entry.code, cause.code) : null,
    causeLabel: cause?.label ?? null,
    causeDetail: cause ? `Its evidence is present on ${cause.calls} of ${cause.of} calls.` : null,
    causeEstablished: cause !== null,
    ...sectionOf(named, target.label),
    target,
    likelyCause: text,
    recommendation: outcomeRecommendation(named, target.label),
    volume,
    rate: share(volume, agent.callCount),
    failedOutcomeShare: volume === 0 ? 0 : 1,
    impact: impactOf(key, agent.newestCallAt),
    orderKey: key,
    outcome: { code: `outcome.${lane}`, countOnly: false, diagnosis: diagnosisOf(diagnosed(given), named) },
  };
}

function countState(given: Given): IssueState {
  const { group, agent, candidates } = given;
  const volume = ownCallsOf(group);
  const withdrawn = volume === 0;
  return {
    ...commonState(given, partsOf(given, { code: COUNT_CODE, severity: 'low' }, volume, null)),
    title: countTitle(group.place.label),
    klass: 'flow',
    lane: 'flow',
    severity: 'low',
    confirmed: false,
    causeCode: null,
    causeLabel: null,
    causeDetail: null,
    causeEstablished: false,
    section: 'hidden',
    sectionNote: withdrawn ? WITHDRAWN_NOTE : countNote({ issueId: group.issueId, ...group.step }, candidates.length),
    target: group.place,
    likelyCause: `Cause not established. Observed: ${countTitle(group.place.label)}, on ${volume} of ${group.step.calls}.`,
    recommendation: null,
    volume,
    rate: share(volume, agent.callCount),
    failedOutcomeShare: volume === 0 ? 0 : 1,
    impact: 'low',
    orderKey: NO_ORDER_KEY,
    outcome: { code: COUNT_CODE, countOnly: true, diagnosis: diagnosisOf(diagnosed(given), null) },
  };
}

function diagnosed({ group, candidates, nominations, entryOf }: Given) {
  return { step: group.step, candidates, tests: nominations.tests, entryOf };
}

type Common = Pick<
  IssueState,
  | 'issueId'
  | 'withdrawn'
  | 'symptoms'
  | 'intentSlug'
  | 'confidence'
  | 'priorityParts'
  | 'downstreamOfId'
  | 'firstSeenVersion'
  | 'lastSeenVersion'
  | 'firstSeenAt'
  | 'lastSeenAt'
  | 'fellOnLive'
  | 'callsByVersion'
  | 'fix'
>;

function commonState({ group, agent, base }: Given, parts: PriorityParts): Common {
  const sums = sumUp(group.versions);
  const fell = fellOnLive(group, agent, base);
  const intent = group.topIntent;
  return {
    issueId: group.issueId,
    withdrawn: sums.calls === 0,
    symptoms: SYMPTOMS.flatMap(([name, label]) =>
      sums[name] > 0 ? [{ code: name === 'noContact' ? 'no_contact' : name, label, count: sums[name] }] : [],
    ).sort((a, b) => b.count - a.count),
    intentSlug: intent !== null && sums.calls >= 5 && intent.calls >= sums.calls * 0.8 ? intent.slug : null,
    confidence: parts.confidence,
    priorityParts: parts,
    downstreamOfId: null,
    firstSeenVersion: null,
    lastSeenVersion: null,
    firstSeenAt: group.firstSeenAt,
    lastSeenAt: group.lastSeenAt,
    fellOnLive: fell,
    callsByVersion: group.versions.filter(({ spoke }) => spoke > 0).map(({ version, spoke }) => [version, spoke]),
    fix: fixDocument(group, agent, base, fell),
  };
}

/** As for other issues, except the harm: how much more often calls with the signal end badly at this step. */
function partsOf(
  given: Given,
  { code, severity }: Pick<CatalogueEntry, 'code' | 'severity'>,
  volume: number,
  named: Candidate | null,
): PriorityParts {
  const { group, agent, base } = given;
  const own = ownCallsOf(group);
  const milli = group.versions.reduce((sum, version) => sum + version.confidenceMilli, 0);
  const confidence = own === 0 ? 0 : ((milli / (own * 1000)) * volume) / (volume + 3);
  const affected = { ...sumUp([]), calls: volume, bad: volume };
  const parts = priorityParts({
    code,
    severity,
    harms: true,
    affected,
    base: base.total,
    confidence,
    lastSeenAt: group.lastSeenAt,
    newestCallAt: agent.newestCallAt,
  });
  const apart = named ? newcombe(named.with, named.without) : { difference: 0, lower: 0 };
  return { ...parts, ...harmOf({ code, severity, harms: true }, apart) };
}

function sectionOf(named: Named, label: string): { section: Section; sectionNote: string | null } {
  if (named.cause === null) return { section: 'not_established', sectionNote: NOT_ESTABLISHED_NOTE };
  if (named.entry.section === 'improve') return { section: 'improve', sectionNote: outcomeImproveNote(named, label) };
  return { section: 'fix', sectionNote: named.cause.row?.outside === true ? OUTSIDE_NOTE : null };
}

/** Where the cause lies, else the place of the signal, where most of its calls agree on one: that is what has to change. Else the step. */
function targetOf({ candidate, place, cause }: Named, step: Place, labelOf: LabelOf): Place {
  const target = cause?.target ?? null;
  if (target !== null) return { ...target, label: target.label ?? labelOf(candidate.code, target) };
  return place === null ? step : { kind: place.kind, id: place.id, label: labelOf(candidate.code, place) };
}
