import type { CoordinatorInput } from './agent-coordinator.ts';
import type { Patience } from './import-calls.ts';
import type { StartEntry } from './outbox-entry.ts';

/** The demo platform publishes another version of a copy of a demo agent, and the agent's coordinator looks at it at once. */
export const NEXT_DEMO_VERSION = 'nextDemoVersion';

export interface NextDemoVersionInput {
  /** The coordinator of the agent; the field has the name that executions of earlier releases began with. */
  desk: CoordinatorInput;
  /** One version a request, however often it is delivered. */
  requestId: string;
  patience?: Patience;
}

export function nextDemoVersionEntry(
  input: NextDemoVersionInput,
): StartEntry<typeof NEXT_DEMO_VERSION, NextDemoVersionInput> {
  return {
    kind: 'start',
    workflow: NEXT_DEMO_VERSION,
    workflowId: `demo-version/${input.requestId}`,
    input,
  };
}
