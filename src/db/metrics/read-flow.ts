import type { Outcome, PlaceKind } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { digestOf } from '../evidence/every-call.ts';
import { anyId } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

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

/** How the calls of one version went through its steps, from sums; nothing where the version is unknown. */
export async function readFlow(em: EntityManager, scope: ReadScope, version: number): Promise<FlowView> {
  const rows = await db(em)
    .selectFrom('flow_counts')
    .where('agentId', '=', anyAgent(scope))
    .where('version', '=', version)
    .select(['part', 'fromStep as from', 'toStep as to', 'outcome', 'calls', 'bad'])
    // Empty where nobody can know it, and for parts that have none.
    .$narrowType<{ outcome: Outcome | '' }>()
    .orderBy('calls', 'desc')
    .orderBy('fromStep')
    .orderBy('toStep')
    .orderBy('outcome')
    .execute();
  if (rows.length === 0) return { steps: [], moves: [], ends: [] };
  const of = (part: Row<'flow_counts'>['part']) => rows.filter((row) => row.part === part);
  const steps = of('step');
  const names = await db(em)
    .selectFrom('flow_steps as f')
    .leftJoin('issues as i', (join) =>
      join
        .onRef('i.agentId', '=', 'f.agentId')
        .on('i.source', '=', 'outcome')
        .onRef('i.placeKind', '=', 'f.kind')
        .on((eb) => eb(digestOf(eb.ref('i.placeId')), '=', digestOf(eb.ref('f.placeId'))))
        .on('i.withdrawnAt', 'is', null),
    )
    .where('f.agentId', '=', anyAgent(scope))
    .where('f.step', '=', anyId(steps.map(({ from }) => from)))
    .select(({ fn }) => [
      'f.step',
      'f.kind',
      'f.placeId',
      'i.id as issueId',
      fn.coalesce('i.placeLabel', 'f.label').as('label'),
    ])
    .execute();
  const named = new Map(names.map((name) => [name.step, name]));
  const sum = (part: Row<'flow_counts'>['part'], step: string, count: 'calls' | 'bad') =>
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
