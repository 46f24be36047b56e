import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { DELIVERY_SIGNALS, type DeliveryInput, type DeliveryStep } from '../../src/temporal/deliver-webhook.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { deliveries } from '../shared/activity-calls.ts';
import { onSignal } from '../shared/handlers.ts';

/** Looks in one execution before it continues as new: far more than the tries of a round. */
const LOOKS_OF_ONE_RUN = 200;

/**
 * Brings one event to one address: a try, a wait, the next try, until it got through or is given up. The record decides
 * all of it; this only keeps the time. `tryNow` ends a wait.
 */
export async function deliverWebhook(input: DeliveryInput): Promise<void> {
  let told = false;
  onSignal(defineSignal(DELIVERY_SIGNALS.tryNow), 'Ends the present wait and tries again at once.', () => {
    told = true;
  });
  let isWaiting = false;
  for (let looks = 0, held = 0; looks < LOOKS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; looks += 1) {
    told = false;
    const { deliveryId, workspaceId, again } = input;
    const step: DeliveryStep = await deliveries.deliverOnce({ deliveryId, workspaceId, again, held });
    setCurrentDetails(step.words);
    if (step.state === 'ended') return;
    held = step.state === 'held' ? held + 1 : 0;
    if (!isWaiting) upsertSearchAttributes([attribute('EarshotStage', 'waiting')]);
    isWaiting = true;
    await condition(() => told, step.waitMs, { summary: 'until the next try' });
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof deliverWebhook>(input);
}
