import type { Slots } from '../../src/slots.ts';
import { type Activities, aroundEach } from './around-each.ts';
import { withHeartbeat } from './with-heartbeat.ts';

/** Each run of an activity takes a slot of its workspace for as long as it lasts; it beats while it waits for one. */
export function eachInASlot<Made extends Activities>(slots: Slots, activities: Made): Made {
  return aroundEach(activities, async (run, input) => {
    const release = await withHeartbeat(
      () => ({ waitsFor: 'a slot' }),
      () => slots.take(workspaceOf(input)),
    );
    try {
      return await run();
    } finally {
      release();
    }
  });
}

/** What is of no workspace, such as a clean-up, takes turns as one. */
function workspaceOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'workspaceId' in input ? String(input.workspaceId) : '';
}
