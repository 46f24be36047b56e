import type { StoredAgent } from '../../support/pipeline.ts';

/** Work of the product that a worker does, small enough to be done again for each place at which it is disturbed. */
export interface Flow {
  name: string;
  /** Begins it anew. */
  begin(): Promise<Begun>;
}

export interface Begun {
  /** Whose calls it is about, where they are imported. */
  agent?: StoredAgent;
  isOver(): Promise<boolean>;
  /** What it left, without ids and times: equal each time. */
  left(): Promise<unknown>;
}
