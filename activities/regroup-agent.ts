import { regroupAgent } from '../src/db/queries/regroup-agent.ts';
import type { RegroupMode } from '../src/durable/desk.ts';
import type { ActivityDeps } from './deps.ts';
import { whileBeating } from './heart.ts';

export interface RegroupResult {
  issues: number;
  changed: number;
  withdrawn: number;
}

/** Brings an agent's issues to what its analysed calls say. A second run changes nothing. */
export function createRegroupAgent({ database }: ActivityDeps) {
  return async function regroup(request: {
    workspaceId: string;
    agentId: string;
    mode: RegroupMode;
  }): Promise<RegroupResult> {
    return whileBeating(
      () => ({ mode: request.mode }),
      () => regroupAgent(database.within(request.workspaceId), request.agentId, request.mode),
    );
  };
}
