import type { Patience } from './import-calls.ts';
import type { StartEntry } from './outbox-entry.ts';

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

/** A person waits for the answer, so it comes soon, also when the platform does not. */
export const CONNECT_PATIENCE: Patience = { firstGapMs: 2_000, longestGapMs: 60_000, giveUpAfterMs: 600_000 };

export const CONNECT_SIGNALS = { tryNow: 'tryNow' } as const;

export function connectionCheckEntry(
  input: ConnectionCheckInput,
): StartEntry<typeof CHECK_CONNECTION, ConnectionCheckInput> {
  return {
    kind: 'start',
    workflow: CHECK_CONNECTION,
    workflowId: connectionCheckId(input.connectionId, input.check),
    input,
  };
}
