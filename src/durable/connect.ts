import type { Patience } from './import.ts';
import type { Order } from './orders.ts';

/** A look at a platform with a key that a person gave: does it work, and which agents does it show. */
export const CHECK_CONNECTION = 'checkConnection';
export const connectionCheckId = (connectionId: string, check: number) => `connection/${connectionId}/${check}`;

export interface ConnectionCheckInput {
  workspaceId: string;
  connectionId: string;
  /** Which look it is: an older one writes nothing once a newer one was ordered. */
  check: number;
  patience?: Patience;
}

/** Reading an agent's configuration at its platform, and its brief from that. */
export const READ_BRIEF = 'readBrief';
export const briefReadId = (agentId: string, read: number) => `brief/${agentId}/${read}`;

export interface BriefReadInput {
  workspaceId: string;
  agentId: string;
  agentName?: string;
  read: number;
  patience?: Patience;
}

/** A person waits for the answer, so it comes soon, also when the platform does not. */
export const CONNECT_PATIENCE: Patience = { firstGapMs: 2_000, longestGapMs: 60_000, giveUpAfterMs: 600_000 };

export const CONNECT_SIGNALS = { tryNow: 'tryNow' } as const;

export function connectionCheckOrder(input: ConnectionCheckInput): Order {
  return {
    workflow: CHECK_CONNECTION,
    workflowId: connectionCheckId(input.connectionId, input.check),
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}

export function briefReadOrder(input: BriefReadInput): Order {
  return {
    workflow: READ_BRIEF,
    workflowId: briefReadId(input.agentId, input.read),
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}
