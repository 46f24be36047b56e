/** A PostgreSQL or Temporal server that the product runs on, whoever runs it. */
export interface Server {
  name: string;
  /** Variables by which child processes find it. */
  env: Record<string, string>;
  /** Where a person looks at it, or null. */
  uiUrl: string | null;
  /** Does nothing for a server that is not ours. */
  stop(): Promise<void>;
  /** Ends at once what is ours. */
  kill(): void;
}

/** A server that somebody else runs: never started, never stopped. */
export function givenServer(name: string, env: Record<string, string>, uiUrl: string | null): Server {
  return { name, env, uiUrl, stop: async () => {}, kill: () => {} };
}
