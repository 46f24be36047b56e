import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { GroupMemory } from '../../domain/issues/facts.ts';
import type { IssueState } from '../../domain/issues/state.ts';
import { newId } from '../../ids.ts';

/** Rows a statement. */
const CHUNK = 500;

/** Writes the issues whose computed state differs from what the last regroup wrote. @returns how many. */
export async function writeStates(
  em: EntityManager,
  states: readonly IssueState[],
  digests: ReadonlyMap<string, string>,
): Promise<number> {
  const changed = states.flatMap((state) => {
    const digest = createHash('sha256').update(JSON.stringify(state)).digest('base64url');
    return digest === digests.get(state.issueId) ? [] : [toRow(state, digest)];
  });
  for (let at = 0; at < changed.length; at += CHUNK) await update(em, changed.slice(at, at + CHUNK));
  return changed.length;
}

function toRow(state: IssueState, digest: string) {
  return {
    id: state.issueId,
    state_digest: digest,
    title: state.title,
    klass: state.klass,
    lane: state.lane,
    severity: state.severity,
    confirmed: state.confirmed,
    withdrawn: state.withdrawn,
    cause_code: state.causeCode,
    cause_label: state.causeLabel,
    cause_detail: state.causeDetail,
    cause_established: state.causeEstablished,
    section: state.section,
    section_note: state.sectionNote,
    target_kind: state.target.kind,
    target_id: state.target.id,
    target_label: state.target.label,
    symptoms: state.symptoms,
    intent_slug: state.intentSlug,
    likely_cause: state.likelyCause,
    recommendation: state.recommendation,
    volume: state.volume,
    rate: state.rate,
    failed_outcome_share: state.failedOutcomeShare,
    impact: state.impact,
    confidence: state.confidence,
    order_key: state.orderKey,
    priority_parts: state.priorityParts,
    downstream_of_id: state.downstreamOfId,
    first_seen_version: state.firstSeenVersion,
    last_seen_version: state.lastSeenVersion,
    first_seen_at: state.firstSeenAt,
    last_seen_at: state.lastSeenAt,
    fell_on_live: state.fellOnLive,
    code: state.outcome?.code ?? null,
    count_only: state.outcome?.countOnly ?? false,
    diagnosis: state.outcome?.diagnosis ?? null,
    calls_by_version: state.callsByVersion,
    fix: state.fix,
  };
}

async function update(em: EntityManager, rows: ReturnType<typeof toRow>[]): Promise<void> {
  await sql`
    update issues i set code = coalesce(r.code, i.code), count_only = r.count_only, diagnosis = r.diagnosis,
      state_digest = r.state_digest, title = r.title, klass = r.klass, lane = r.lane,
      severity = r.severity, confirmed = r.confirmed,
      confirmed_at = case when r.confirmed then coalesce(i.confirmed_at, now()) else i.confirmed_at end,
      withdrawn_at = case when r.withdrawn then coalesce(i.withdrawn_at, now()) end, cause_code = r.cause_code,
      cause_label = r.cause_label, cause_detail = r.cause_detail, cause_established = r.cause_established,
      section = r.section, section_note = r.section_note, target_kind = r.target_kind, target_id = r.target_id,
      target_label = r.target_label, symptoms = r.symptoms, intent_slug = r.intent_slug,
      likely_cause = r.likely_cause, recommendation = r.recommendation, volume = r.volume, rate = r.rate,
      failed_outcome_share = r.failed_outcome_share, impact = r.impact, confidence = r.confidence,
      order_key = r.order_key, priority_parts = r.priority_parts, downstream_of_id = r.downstream_of_id,
      first_seen_version = r.first_seen_version, last_seen_version = r.last_seen_version,
      first_seen_at = r.first_seen_at, last_seen_at = r.last_seen_at, fell_on_live = r.fell_on_live,
      calls_by_version = r.calls_by_version, fix = r.fix, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, state_digest text, title text, klass text,
      lane text, severity text, confirmed boolean, withdrawn boolean, cause_code text, cause_label text,
      cause_detail text, cause_established boolean, section text, section_note text, target_kind text,
      target_id text, target_label text, symptoms jsonb, intent_slug text, likely_cause text, recommendation text,
      volume int, rate float8, failed_outcome_share float8, impact text, confidence float8, order_key float8,
      priority_parts jsonb, downstream_of_id uuid, first_seen_version int, last_seen_version int,
      first_seen_at timestamptz, last_seen_at timestamptz, fell_on_live boolean, calls_by_version jsonb, fix jsonb, code text,
      count_only boolean, diagnosis jsonb)
    where i.id = r.id`.execute(em.getKysely());
}

/** What the analysis did to an issue's standing, for its history: confirmed for the first time, withdrawn, back again. */
export async function writeHistory(
  em: EntityManager,
  agentId: string,
  states: readonly IssueState[],
  memories: ReadonlyMap<string, GroupMemory>,
): Promise<void> {
  const entries = states.flatMap((state) => {
    const memory = memories.get(state.issueId);
    if (!memory) return [];
    const entry = (trigger: string, from: string | null, reason: string) => [
      { id: newId(), issue_id: state.issueId, from_status: from, to_status: memory.status, trigger, reason },
    ];
    if (state.confirmed && memory.confirmedAt === null) {
      return entry('confirmed', null, `The pattern was confirmed on ${state.volume} calls.`);
    }
    if (memory.confirmedAt === null || state.withdrawn === memory.withdrawn) return [];
    return state.withdrawn
      ? entry('withdrawn', memory.status, 'No analysed call shows it any more.')
      : entry('returned', memory.status, 'Calls show it again.');
  });
  if (entries.length === 0) return;
  await sql`
    insert into issue_history (id, issue_id, agent_id, from_status, to_status, trigger, reason)
    select id, issue_id, ${agentId}, from_status, to_status, trigger, reason
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      as r(id uuid, issue_id uuid, from_status text, to_status text, trigger text, reason text)`.execute(
    em.getKysely(),
  );
}
