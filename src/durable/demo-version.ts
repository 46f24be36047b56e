import type { DeskInput } from './desk.ts';
import type { Patience } from './import.ts';
import type { Order } from './orders.ts';

/** The demo platform publishes another version of a copy of a demo agent, and the agent's desk looks at it at once. */
export const NEXT_DEMO_VERSION = 'nextDemoVersion';

export interface NextDemoVersionInput {
  desk: DeskInput;
  /** One version a request, however often it is delivered. */
  requestId: string;
  patience?: Patience;
}

export function nextDemoVersionOrder(input: NextDemoVersionInput): Order {
  return {
    workflow: NEXT_DEMO_VERSION,
    workflowId: `demo-version/${input.requestId}`,
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}
