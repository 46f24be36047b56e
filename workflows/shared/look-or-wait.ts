import { condition, setCurrentDetails } from '@temporalio/workflow';
import { failureMessage, isOurEnd } from './failure-message.ts';

/**
 * One look of a workflow that never ends. What fails for good is shown with its reason and waited out, for an hour or
 * until the workflow is called. @returns null after such a wait: the look is to be taken again
 */
export async function lookOrWait<Look>(look: () => Promise<Look>, isCalled: () => boolean): Promise<Look | null> {
  try {
    return await look();
  } catch (error) {
    if (isOurEnd(error)) throw error;
    setCurrentDetails(`**Failed: ${failureMessage(error, 'look').replaceAll(/[`*_[\]<>#\n]/g, ' ')}**`);
    await condition(isCalled, '1 hour', { summary: 'until it is tried again' });
    return null;
  }
}
