import { type Expression, type SqlBool, sql } from 'kysely';

/** Of calls `c`: left open, and nobody's failure (`src/domain/signals/nobodys-failure.ts`). */
export const isNobodysFailure: Expression<SqlBool> = sql<SqlBool>`(c.outcome in ('unresolved', 'abandoned') and not c.ended_badly)`;

/** Of calls `c`: somebody was reached, and how it ended tells of the agent. */
export const isCounted: Expression<SqlBool> = sql<SqlBool>`(c.outcome <> 'no_contact' and not ${isNobodysFailure})`;
