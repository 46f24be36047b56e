import type { CatalogueEntry } from '../signals/catalogue-entry.ts';
import { share } from '../statistics.ts';
import { SEVERITIES } from '../vocabulary.ts';
import { type EstablishedCause, establishedCause, isNearCause, labelsOf, type PlaceLabels } from './cause.ts';
import { isBarelyConfirmed, isConfirmed } from './confirm.ts';
import { findConsequences, type Standing } from './downstream.ts';
import {
  type AgentFacts,
  type Base,
  baseReader,
  type GroupFacts,
  knownCalls,
  type OutcomeSums,
  ownCallsOf,
  sumUp,
} from './facts.ts';
import { fellOnLive, fixDocument } from './live.ts';
import { impactOf, orderKey, type PriorityParts, priorityParts, tieBreak } from './priority.ts';
import { ownSection, recommend } from './section.ts';
import {
  causeDetail,
  consequenceNote,
  likelyCause,
  mergedNote,
  NEAR_CONFIRMED,
  nearCause,
  observedOnly,
} from './sentences.ts';
import type { IssueState } from './state.ts';

type Catalogue = ReadonlyMap<string, CatalogueEntry>;

/**
 * From sums to whole issues: every issue of an agent, also those without new calls, because the base rates under them
 * have moved. Pure and independent of the order of `groups`; the structure (what is split, what is merged) is taken from
 * the groups' memory as `planStructure` decided it. States come in the order of the groups.
 */
export function rescore(groups: readonly GroupFacts[], agent: AgentFacts, catalogue: Catalogue): IssueState[] {
  const baseOf = baseReader(agent);
  const entryOf = entryReader(catalogue);
  const labels = labelsOf(groups);
  const alone = groups.map((group) =>
    scoreAlone(group, agent, { entry: entryOf(group.code), base: baseOf(group.code), labels }),
  );
  const byId = new Map(alone.map((scored) => [scored.group.issueId, scored]));
  const children = childrenOf(alone, byId);
  const leads = (issueId: string, followerId: string) => {
    const leader = byId.get(issueId);
    if (!leader || leader.state.section === 'hidden' || !stillLeads(leader.group, byId.get(followerId)?.group)) {
      return false;
    }
    return leader.group.source === agent.boardSource && !byId.has(leader.group.memory.mergedIntoId ?? '');
  };
  const standing = { mayLead: leads, ...standingOf(entryOf) };
  const consequences = findConsequences(groups, standing, agent.callCount);
  const followers = followersOf(alone, byId, consequences);
  return alone.map((scored) => {
    const { state, group } = scored;
    const family = [scored, ...(children.get(group.issueId) ?? [])];
    const symptoms = symptomsOf(family);
    const parent = byId.get(group.memory.mergedIntoId ?? '');
    if (parent) return fold({ ...state, symptoms }, parent, mergedNote);
    const leader = byId.get(consequences.get(group.issueId) ?? '');
    if (leader && state.section !== 'hidden') return fold({ ...state, symptoms }, leader, consequenceNote);
    const ranked = gravest([...family, ...(followers.get(group.issueId) ?? [])], agent.newestCallAt);
    return { ...state, ...ranked, symptoms };
  });
}

/** What follows from a resolved cause stays with it until a call shows it after that. */
function stillLeads({ memory }: GroupFacts, follower: GroupFacts | undefined): boolean {
  if (memory.status !== 'resolved') return true;
  const lastSeenAt = follower?.lastSeenAt ?? null;
  return memory.resolvedAt !== null && lastSeenAt !== null && lastSeenAt <= memory.resolvedAt;
}

/** Listed problems by the issue at the end of what they follow from; of those that are gone before it nothing counts. */
function followersOf(
  alone: readonly Scored[],
  byId: ReadonlyMap<string, Scored>,
  consequences: ReadonlyMap<string, string>,
): Map<string, Scored[]> {
  const followers = new Map<string, Scored[]>();
  for (const scored of alone) {
    const { group, state } = scored;
    let root = consequences.get(group.issueId);
    for (let next = root; next !== undefined; next = consequences.get(next)) root = next;
    if (root === undefined || state.section === 'hidden' || group.memory.status === 'resolved') continue;
    if (state.fellOnLive && byId.get(root)?.state.fellOnLive === false) continue;
    followers.set(root, [...(followers.get(root) ?? []), scored]);
  }
  return followers;
}

/** What fails in a system comes before what is said about it; among all else the graver fault names the calls of both. */
function standingOf(entryOf: (code: string) => CatalogueEntry): Pick<Standing, 'isEnding' | 'isGraver'> {
  return {
    isEnding: (code) => entryOf(code).ending,
    isGraver(code, than) {
      const [one, other] = [entryOf(code), entryOf(than)];
      if (one.ending || other.klass === 'technical') return false;
      return SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(other.severity);
    },
  };
}

/** A row for several problems ranks as the gravest of them, also of what only follows from it: one change fixes that too. */
function gravest(
  family: readonly Scored[],
  newestCallAt: string | null,
): Pick<IssueState, 'orderKey' | 'priorityParts' | 'confidence' | 'impact'> {
  const [first, ...rest] = family.map(({ state }) => state);
  const top = rest.reduce((a, b) => (b.orderKey > (a?.orderKey ?? 0) ? b : a), first);
  if (top === undefined) throw new Error('A family without a member.');
  const through = top.title === first?.title ? null : top.title;
  const { near = null, computableCalls = 0, harmDifference = 0 } = first?.priorityParts ?? {};
  const own = top === first ? null : { computableCalls, harmDifference };
  return {
    orderKey: top.orderKey,
    priorityParts: { ...top.priorityParts, near, through, own },
    confidence: top.confidence,
    impact: impactOf(top.orderKey, newestCallAt),
  };
}

/** The catalogue's row of a code; one that the catalogue no longer has is kept as what it is, a name. */
export function entryReader(catalogue: Catalogue): (code: string) => CatalogueEntry {
  return (code) => catalogue.get(code) ?? { ...UNKNOWN_ENTRY, code, title: code };
}

const UNKNOWN_ENTRY: CatalogueEntry = {
  code: '',
  title: '',
  klass: 'technical',
  lane: null,
  severity: 'low',
  thresholds: {},
  needs: [],
  meaning: false,
  isNot: '',
  fact: false,
  ending: false,
  noiseFloor: 0.02,
  section: 'fix',
  metric: null,
  selfCause: false,
  causes: [],
  check: 'Read the calls that show it, at {place}.',
};

interface Scored {
  group: GroupFacts;
  state: IssueState;
}

function scoreAlone(
  group: GroupFacts,
  agent: AgentFacts,
  { entry, base, labels }: { entry: CatalogueEntry; base: Base; labels: PlaceLabels },
): Scored {
  const affected = sumUp(group.versions);
  const confirmed = isConfirmed(group, entry);
  const cause = confirmed ? establishedCause(group, entry, labels) : null;
  const mean = share(
    group.versions.reduce((sum, version) => sum + version.confidenceMilli, 0),
    affected.calls * 1000,
  );
  const confidence = affected.calls === 0 ? 0 : (mean * affected.calls) / (affected.calls + 3);
  const { lastSeenAt } = group;
  const { newestCallAt } = agent;
  const near = confirmed ? nearOf(group, entry, cause) : null;
  const parts: PriorityParts = {
    ...priorityParts({
      code: entry.code,
      severity: entry.severity,
      harms: !entry.ending,
      affected,
      base: base.total,
      confidence,
      lastSeenAt,
      newestCallAt,
    }),
    near,
  };
  const key = orderKey(parts, newestCallAt) + tieBreak(group.key);
  const fell = fellOnLive(group, agent, base);
  const seen = group.versions.filter((version) => version.calls > 0).map(({ version }) => version);
  const state: IssueState = {
    issueId: group.issueId,
    title: entry.title,
    klass: entry.klass,
    lane: entry.lane,
    severity: entry.severity,
    confirmed,
    withdrawn: ownCallsOf(group) === 0,
    ...causeFields(cause),
    ...ownSection({ group, entry, confirmed, cause, affected, base }),
    target: cause?.target ?? group.place,
    symptoms: [{ code: group.code, label: entry.title, count: ownCallsOf(group) }],
    intentSlug: specificIntent(group, affected),
    likelyCause: cause ? likelyCause(cause) : observedOnly(entry.title, group.place.label, affected, base.total.calls),
    recommendation: recommend(group, entry, cause),
    volume: affected.calls,
    rate: share(affected.calls, agent.callCount),
    failedOutcomeShare: share(affected.bad, knownCalls(affected)),
    impact: impactOf(key, newestCallAt),
    confidence,
    orderKey: key,
    priorityParts: parts,
    downstreamOfId: null,
    firstSeenVersion: seen.length === 0 ? null : Math.min(...seen),
    lastSeenVersion: seen.length === 0 ? null : Math.max(...seen),
    firstSeenAt: group.firstSeenAt,
    lastSeenAt,
    fellOnLive: fell,
    callsByVersion: group.versions.filter(({ spoke }) => spoke > 0).map(({ version, spoke }) => [version, spoke]),
    fix: fixDocument(group, agent, base, fell),
  };
  return { group, state };
}

/** Where a boundary is near, the row says so. */
function nearOf(group: GroupFacts, entry: CatalogueEntry, cause: EstablishedCause | null): string | null {
  if (isBarelyConfirmed(group, entry)) return NEAR_CONFIRMED;
  return isNearCause(group, cause) ? nearCause(cause !== null) : null;
}

function causeFields(
  cause: EstablishedCause | null,
): Pick<IssueState, 'causeCode' | 'causeLabel' | 'causeDetail' | 'causeEstablished'> {
  if (cause === null) return { causeCode: null, causeLabel: null, causeDetail: null, causeEstablished: false };
  return { causeCode: cause.code, causeLabel: cause.label, causeDetail: causeDetail(cause), causeEstablished: true };
}

function childrenOf(alone: readonly Scored[], byId: ReadonlyMap<string, Scored>): Map<string, Scored[]> {
  const children = new Map<string, Scored[]>();
  for (const scored of alone) {
    const parentId = scored.group.memory.mergedIntoId ?? '';
    if (byId.has(parentId)) children.set(parentId, [...(children.get(parentId) ?? []), scored]);
  }
  return children;
}

function symptomsOf(family: readonly Scored[]): IssueState['symptoms'] {
  const counts = new Map<string, IssueState['symptoms'][number]>();
  for (const { group, state } of family) {
    const { code } = group;
    const count = (counts.get(code)?.count ?? 0) + ownCallsOf(group);
    counts.set(code, { code, label: state.title, count });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

function fold(state: IssueState, under: Scored, note: (title: string, place: string) => string): IssueState {
  const sectionNote = note(under.state.title, under.group.place.label);
  return { ...state, section: 'hidden', sectionNote, downstreamOfId: under.group.issueId };
}

/** Set when at least 80 % of at least five calls share the caller's intent. */
function specificIntent({ topIntent }: GroupFacts, affected: OutcomeSums): string | null {
  if (topIntent === null || affected.calls < 5) return null;
  return topIntent.calls >= affected.calls * 0.8 ? topIntent.slug : null;
}
