import type { KeyAccess, Role } from '../domain/vocabulary.ts';

/** Who acts. Nobody acts only in public operations such as signing in. */
export type Principal = KeyPrincipal | PersonPrincipal | Nobody;

export interface KeyPrincipal {
  kind: 'key';
  keyId: string;
  workspaceId: string;
  access: KeyAccess;
  /** The one agent that the key reaches; null for every agent that its workspace can read. */
  agentId: string | null;
  monthlyBudgetUsd: number | null;
}

export interface PersonPrincipal {
  kind: 'person';
  personId: string;
  workspaceId: string;
  role: Role;
  sessionId: string;
}

export interface Nobody {
  kind: 'nobody';
}

/** What a principal can see at most; every query of agents starts from it. */
export interface Reach {
  workspaceId: string;
  onlyAgentId: string | null;
}

/** @throws Error for nobody: a public operation has no business with agents. */
export function reachOf(principal: Principal): Reach {
  switch (principal.kind) {
    case 'key':
      return { workspaceId: principal.workspaceId, onlyAgentId: principal.agentId };
    case 'person':
      return { workspaceId: principal.workspaceId, onlyAgentId: null };
    case 'nobody':
      throw new Error('A public operation asked for the reach of its caller.');
    default:
      return principal satisfies never;
  }
}
