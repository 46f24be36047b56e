import { sql } from 'kysely';
import type { Outcome, PlaceKind } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export interface FlowStepView {
  step: string;
  kind: PlaceKind;
  placeId: string;
  label: string;
  /** Calls that reached it, that came back to it, and that ended badly at it. */
  calls: number;
  loops: number;
  drops: number;
  /** The issue of calls that end badly here: a count until a cause is named. Null where none did. */
  issueId: string | null;
}

export interface FlowView {
  /** Most calls first. */
  steps: FlowStepView[];
  moves: { from: string; to: string; calls: number }[];
  ends: { step: string; outcome: Outcome; calls: number }[];
}

interface FlowRow {
  part: 'step' | 'loop' | 'move' | 'end';
  from: string;
  to: string;
  /** Empty where nobody can know it, and for parts that have none. */
  outcome: Outcome | '';
  calls: number;
  bad: number;
}

/** How the calls of one version went through its steps, from sums; nothing where the version is unknown. */
export async function readFlow(em: EntityManager, scope: ReadScope, version: number): Promise<FlowView> {
  const { rows } = await sql<FlowRow>`
    select part, from_step as "from", to_step as "to", outcome, calls, bad from flow_counts
    where ${ofAgents('agent_id', scope)} and version = ${version}
    order by calls desc, from_step, to_step, outcome`.execute(db(em));
  if (rows.length === 0) return { steps: [], moves: [], ends: [] };
  const of = (part: FlowRow['part']) => rows.filter((row) => row.part === part);
  const steps = of('step');
  const { rows: names } = await sql<Pick<FlowStepView, 'step' | 'kind' | 'placeId' | 'label' | 'issueId'>>`
    select f.step, f.kind, f.place_id, coalesce(i.place_label, f.label) as label, i.id as issue_id
    from flow_steps f left join issues i on i.agent_id = f.agent_id and i.source = 'outcome'
      and i.place_kind = f.kind and md5(i.place_id) = md5(f.place_id) and i.withdrawn_at is null
    where ${ofAgents('f.agent_id', scope)} and f.step = any(${steps.map(({ from }) => from)}::uuid[])`.execute(db(em));
  const named = new Map(names.map((name) => [name.step, name]));
  const sum = (part: FlowRow['part'], step: string, count: 'calls' | 'bad') =>
    of(part).reduce((total, row) => (row.from === step ? total + row[count] : total), 0);
  return {
    steps: steps.flatMap((row) => {
      const name = named.get(row.from);
      if (!name) return [];
      return [{ ...name, calls: row.calls, loops: sum('loop', row.from, 'calls'), drops: sum('end', row.from, 'bad') }];
    }),
    moves: of('move').map(({ from, to, calls }) => ({ from, to, calls })),
    ends: of('end').flatMap(({ from, outcome, calls }) => (outcome === '' ? [] : [{ step: from, outcome, calls }])),
  };
}
