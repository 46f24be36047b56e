import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { SignalLabel } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText, now } from '../expressions.ts';
import type { Row, Tables } from '../tables.ts';

/** A signal as a person names it: what a new analysis finds again counts as the same. */
export interface SignalName {
  agentId: string;
  callId: string;
  code: string;
  turnIndex: number;
}

type SaidOfSignal = 'callId' | 'code' | 'turnIndex' | 'label' | 'note' | 'personId' | 'createdAt' | 'updatedAt';

export interface LabelView extends Pick<Row<'signal_labels'>, SaidOfSignal> {
  /** The present analysis still notices it. */
  detected: boolean;
}

const isDetected = (eb: ExpressionBuilder<Tables, 'signal_labels'>) =>
  eb
    .exists(
      eb
        .selectFrom('call_signals as s')
        .whereRef('s.callId', '=', 'signal_labels.callId')
        .whereRef('s.code', '=', 'signal_labels.code')
        .whereRef('s.turnIndex', '=', 'signal_labels.turnIndex')
        .select('s.callId'),
    )
    .$castTo<boolean>();

/** The signal itself, as the present analysis has it. */
const signal = ({ agentId, callId, code, turnIndex }: SignalName) =>
  expressionBuilder<Tables>()
    .selectFrom('call_signals')
    .where((eb) => eb.and({ agentId, callId, code, turnIndex }))
    .select('callId');

/** Of a model: its signal, or what it confirmed while the code was back at assist. */
function isByModel(name: SignalName) {
  const { agentId, callId, code, turnIndex } = name;
  const eb = expressionBuilder<Tables>();
  const confirmed = eb
    .selectFrom('call_analyses')
    .where((row) => row.and({ agentId, callId }))
    .where(
      sql<boolean>`jsonb_path_exists(analysis, '$.observations[*] ? (@.basis == "model" && @.kind == "candidate"
        && @.rule == $code && @.turnIndex == $turn)', jsonb_build_object('code', ${code}::text, 'turn', ${turnIndex}::int))`,
    )
    .select('callId');
  return eb.or([eb.exists(signal(name).where('basis', '=', 'model')), eb.exists(confirmed)]);
}

/** A signal can be labelled while it stands, or where it was labelled before; so can what a model confirmed. */
export async function mayLabel(em: EntityManager, name: SignalName): Promise<boolean> {
  const { agentId, callId, code, turnIndex } = name;
  const { known } = await db(em)
    .selectNoFrom((eb) => {
      const labelled = eb
        .selectFrom('signal_labels')
        .where((row) => row.and({ agentId, callId, code, turnIndex }))
        .select('callId');
      return eb.or([eb.exists(signal(name)), eb.exists(labelled), isByModel(name)]).as('known');
    })
    .executeTakeFirstOrThrow();
  return known === true;
}

/** The newest word on a signal is the one that stands. */
export async function upsertLabel(
  em: EntityManager,
  { agentId, callId, code, turnIndex }: SignalName,
  said: { workspaceId: string; personId: string; label: SignalLabel; note: string | null },
): Promise<void> {
  const { workspaceId, personId, label, note } = said;
  const name = { agentId, callId, code, turnIndex };
  await db(em)
    .insertInto('signal_labels')
    .values((eb) => ({
      agentId,
      callId,
      code,
      turnIndex,
      workspaceId,
      label,
      note,
      personId,
      basis: eb
        .case()
        .when(isByModel(name))
        .then('model' as const)
        .else('rules' as const)
        .end(),
    }))
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'callId', 'code', 'turnIndex']).doUpdateSet((eb) => ({
        label,
        note,
        personId,
        updatedAt: now,
        basis: eb
          .case()
          .when('excluded.basis', '=', 'model')
          .then('model' as const)
          .else(eb.ref('signal_labels.basis'))
          .end(),
      })),
    )
    .execute();
}

export async function deleteLabel(em: EntityManager, { agentId, callId, code, turnIndex }: SignalName): Promise<void> {
  await db(em)
    .deleteFrom('signal_labels')
    .where((eb) => eb.and({ agentId, callId, code, turnIndex }))
    .execute();
}

/** Labels of one call in the order of its turns, also those on signals that no longer stand. */
export function readLabels(em: EntityManager, agentId: string, callId: string): Promise<LabelView[]> {
  return db(em)
    .selectFrom('signal_labels')
    .where('agentId', '=', agentId)
    .where('callId', '=', callId)
    .select(['callId', 'code', 'turnIndex', 'label', 'note', 'personId', 'createdAt', 'updatedAt'])
    .select((eb) => isDetected(eb).as('detected'))
    .orderBy('turnIndex')
    .orderBy('code')
    .execute();
}

export interface LabelCount {
  right: number;
  wrong: number;
}

/** Labels of signals that the present analysis still notices. */
const counted = (em: EntityManager, agentId: string) =>
  db(em)
    .selectFrom('signal_labels')
    .where('signal_labels.agentId', '=', agentId)
    .where(isDetected)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('label', '=', 'right').as('right'),
      fn.countAll<number>().filterWhere('label', '=', 'wrong').as('wrong'),
    ]);

export async function countLabels(em: EntityManager, agentId: string): Promise<Map<string, LabelCount>> {
  const rows = await counted(em, agentId).select('code').groupBy('code').execute();
  return new Map(rows.map(({ code, right, wrong }) => [code, { right, wrong }]));
}

/** Labels on the signals that stand behind one issue. */
export function countIssueLabels(
  em: EntityManager,
  issue: { id: string; agentId: string },
  codes: readonly string[],
): Promise<LabelCount> {
  return counted(em, issue.agentId)
    .innerJoin('issue_calls as c', 'c.callId', 'signal_labels.callId')
    .where('c.issueId', '=', issue.id)
    .where('signal_labels.code', '=', anyText(codes))
    .executeTakeFirstOrThrow();
}

/** What people said about signals of some codes on some calls. */
export function labelsOfCalls(
  em: EntityManager,
  agentId: string,
  callIds: string[],
  codes: string[],
): Promise<(SignalName & { label: SignalLabel })[]> {
  return db(em)
    .selectFrom('signal_labels')
    .where('agentId', '=', agentId)
    .where('callId', '=', anyId(callIds))
    .where('code', '=', anyText(codes))
    .select(['agentId', 'callId', 'code', 'turnIndex', 'label'])
    .execute();
}
