import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText } from '../expressions.ts';

/** Notes callers of several calls after these calls were stored; what follows from it is read with the next grouping. */
export async function noteCallers(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callerKeys: readonly string[],
): Promise<void> {
  if (callerKeys.length === 0) return;
  await db(em)
    .insertInto('callers_to_review')
    .columns(['agentId', 'callerKey', 'workspaceId'])
    .expression((eb) =>
      eb
        .selectFrom('calls')
        .where('agentId', '=', owner.agentId)
        .where('callerKey', '=', anyText(callerKeys))
        .where('state', '=', 'analysed')
        .where((call) =>
          call.or([
            call('callerOf', '>', 1),
            call(call.val('repeat_call_same_intent'), '=', call.fn.any('signalCodes')),
          ]),
        )
        .select(['agentId', 'callerKey', 'workspaceId'])
        .distinct(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
