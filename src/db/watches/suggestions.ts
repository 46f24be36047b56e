import { sql } from 'kysely';
import type { SuggestedWatch } from '../../domain/watches/suggest.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { executePlanned } from '../planned.ts';

/** Who made what is read from an agent's own text. */
const EARSHOT = 'earshot';

/**
 * Stores the watches that the live version's lines suggest. A line that is known keeps its watch, with its place; the
 * watch of a line that is gone says since when, and is taken away where nobody has touched it. Doing it again changes
 * nothing.
 */
export async function storeSuggestions(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  watches: readonly SuggestedWatch[],
): Promise<void> {
  const rows = watches.map((suggested) => ({ id: newId(), ...rowOf(suggested) }));
  await executePlanned(
    em,
    sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id uuid, name text, lane text, scope_text text,
        scope_code jsonb, expectation_text text, expectation_code jsonb, polarity text, source_key text, source_step text,
        source_line int, source_text text)
    ), live as (
      select current_version as version from agents where id = ${agentId}
    ), gone as (
      delete from watches w where w.agent_id = ${agentId} and w.source_key is not null and w.state = 'draft' and w.revision = 1
        and w.first_sample is null and not exists (select from given g where g.source_key = w.source_key)
    ), left_over as (
      update watches w set source_gone_in = live.version, updated_at = now() from live
      where w.agent_id = ${agentId} and w.source_key is not null and w.source_gone_in is null
        and not (w.state = 'draft' and w.revision = 1 and w.first_sample is null)
        and not exists (select from given g where g.source_key = w.source_key)
    )
    insert into watches as w (id, workspace_id, agent_id, name, lane, origin, scope_text, scope_code, expectation_text,
      expectation_code, polarity, source_key, source_version, source_step, source_line, source_text, created_by)
    select g.id, ${workspaceId}, ${agentId}, g.name, g.lane, 'generated', g.scope_text, g.scope_code, g.expectation_text,
      g.expectation_code, g.polarity, g.source_key, live.version, g.source_step, g.source_line, g.source_text, ${EARSHOT}
    from given g, live
    on conflict (agent_id, source_key) where source_key is not null do update
      set source_step = excluded.source_step, source_line = excluded.source_line, source_gone_in = null, updated_at = now()
      where (w.source_step, w.source_line) is distinct from (excluded.source_step, excluded.source_line)
        or w.source_gone_in is not null`,
  );
}

function rowOf({ name, lane, scopeText, expectationText, form, sourceKey, step, line, text }: SuggestedWatch) {
  return {
    name,
    lane,
    scope_text: scopeText,
    scope_code: form.scope,
    expectation_text: expectationText,
    expectation_code: form.expectation,
    polarity: form.polarity,
    source_key: sourceKey,
    source_step: step,
    source_line: line,
    source_text: text,
  };
}

/** Suggestions of a demo agent that code decides and nobody has touched, while none of the agent's watches was ever backtested. */
export async function untestedDemoWatches(
  em: EntityManager,
  agentId: string,
): Promise<{ watchId: string; workspaceId: string; agentName: string }[]> {
  const { rows } = await sql<{ watchId: string; workspaceId: string; agentName: string }>`
    select w.id as watch_id, w.workspace_id, a.name as agent_name from agents a join watches w on w.agent_id = a.id
    where a.id = ${agentId} and a.source = 'demo' and a.call_count > 0
      and w.origin = 'generated' and w.state = 'draft' and w.revision = 1 and w.expectation_code ->> 'kind' <> 'judged'
      and not exists (select from backtests b where b.agent_id = a.id)
      and not exists (select from calls c where c.agent_id = a.id and c.state = 'waiting')
      and not exists (select from imports i where i.agent_id = a.id and i.kind <> 'poll' and i.finished_at is null)
    order by w.created_at, w.id for no key update of w`.execute(db(em));
  return rows;
}
