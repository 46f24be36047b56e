import type { EntityManager } from '../../db/database.ts';
import { drawFromPlan } from '../../db/limits/draw-from-plan.ts';
import { Failure } from '../failure.ts';
import { quotaExceeded } from '../plan/quota-exceeded.ts';
import { aiLeft } from '../runs/open-run.ts';
import type { Ai, Services } from '../services.ts';

export const NOT_CONFIGURED =
  'No model is configured: set EARSHOT_MODEL_URL and EARSHOT_MODEL, or ANTHROPIC_API_KEY, and start the server again.';

/** @throws Failure `copilot_not_configured` */
export function requireAi({ ai }: Services): Ai {
  if (ai === null) throw new Failure('copilot_not_configured', NOT_CONFIGURED);
  return ai;
}

/** Draws one message of the plan, in the transaction that begins its answer. @throws Failure 402 */
export async function drawMessage(em: EntityManager, workspaceId: string): Promise<void> {
  if ((await aiLeft(em, workspaceId)) === 0) {
    const message = "The workspace's AI model allowance is used up. It grows again as older usage leaves its 30 days.";
    throw new Failure('budget_exceeded', message);
  }
  const drawn = await drawFromPlan(em, workspaceId, 'copilotMessages', 1);
  if (drawn.drawn) return;
  const { plan, limit, used } = drawn.plan;
  const message = `This needs 1 copilot message, and the plan has none of its ${limit ?? 0} left in this period.`;
  throw quotaExceeded(message, { metric: 'copilot_messages', limit: limit ?? 0, used, plan });
}
