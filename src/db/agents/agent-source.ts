import { sql } from 'kysely';
import type { ToolResultRule } from '../../domain/calls/tool-result-rules.ts';
import type { RedactionRules } from '../../domain/personal/redact.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import type { PhraseRules } from '../../domain/signals/phrase-rules.ts';
import { type ConnectionStatus, type Platform, SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import { hasWaitingCalls } from '../calls/conditions.ts';
import { type AccountLimit, limitedForMs, liveLimitedForMs } from '../connections/limits.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { findPlanned } from '../planned.ts';

/** How an agent's calls are reached and read. The key is still sealed. */
export interface AgentSource extends AccountLimit {
  agentId: string;
  workspaceId: string;
  name: string;
  provider: Platform;
  providerAgentId: string;
  /** The connection by which it is reached, whose address and key these are; null where it has none. */
  connectionId: string | null;
  connectionStatus: ConnectionStatus | null;
  baseUrl: string | null;
  sealedKey: string | null;
  thresholds: Thresholds;
  /** Wordings that a person has made a rule for this agent. */
  phraseRules: PhraseRules;
  /** What answers of its tools mean, as a person taught it. */
  toolRules: ToolResultRule[];
  hearsRecordings: boolean;
  /** Names are left out of what is stored of its calls. */
  leavesOutNames: boolean;
}

export const phraseRules = sql<PhraseRules>`coalesce(settings -> 'phraseRules', '{"required": [], "forbidden": []}')`;

export const toolRules = sql<ToolResultRule[]>`coalesce(settings -> 'toolRules', '[]')`;

export const redaction = sql<RedactionRules>`coalesce(settings -> 'redaction', '{"kinds": [], "patterns": []}')`;

/** Whether the recordings of an agent's calls are heard. @param agents the name of its table in the statement */
export const hearsRecordings = (agents: string) =>
  sql<boolean>`coalesce((${sql.ref(`${agents}.settings`)} ->> 'hearRecordings')::boolean, false)`;

/** What is left out of what is stored of an agent's calls from now on. */
export async function readRedaction(em: EntityManager, agentId: string): Promise<RedactionRules> {
  const found = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(redaction.as('redaction'))
    .executeTakeFirst();
  return found?.redaction ?? { kinds: [], patterns: [] };
}

export async function loadAgentSource(em: EntityManager, agentId: string): Promise<AgentSource | null> {
  const source = db(em)
    .selectFrom('agents as a')
    .leftJoin('platform_connections as c', 'c.id', 'a.connectionId')
    .where('a.id', '=', agentId)
    .select(['a.id as agentId', 'a.workspaceId', 'a.name', 'a.provider', 'a.providerAgentId', 'c.baseUrl'])
    .select([
      'c.id as connectionId',
      'c.sealedKey',
      'c.status as connectionStatus',
      limitedForMs.as('limitedForMs'),
      liveLimitedForMs.as('liveLimitedForMs'),
      'a.thresholds',
      phraseRules.as('phraseRules'),
      toolRules.as('toolRules'),
      hearsRecordings('a').as('hearsRecordings'),
      sql<boolean>`coalesce(a.settings -> 'redaction' -> 'kinds' ? 'name', false)`.as('leavesOutNames'),
    ]);
  return findPlanned(em, source);
}

/** What the settings of an agent say about reading its calls. */
export async function readRules(
  em: EntityManager,
  agentId: string,
): Promise<Pick<AgentSource, 'thresholds' | 'phraseRules' | 'toolRules'>> {
  const found = await loadAgentSource(em, agentId);
  return found ?? { thresholds: {}, phraseRules: { required: [], forbidden: [] }, toolRules: [] };
}

/**
 * Agents whose coordinator must be open: those with a platform to poll that were imported once, those with an open import, and
 * those with calls that wait for their analysis.
 */
export function agentsToCoordinate(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<{ agentId: string; workspaceId: string; name: string; provider: Platform; waits: boolean }[]> {
  let agents = db(em)
    .selectFrom('agents as a')
    .where('a.workspaceId', '=', workspaceId)
    .where('a.erasing', '=', false)
    .where((eb) =>
      eb.or([
        eb.and([eb('a.bookmarkAt', 'is not', null), eb('a.provider', 'not in', SENDING_PLATFORMS)]),
        eb.exists(
          eb
            .selectFrom('imports as i')
            .whereRef('i.agentId', '=', 'a.id')
            .where('i.status', 'in', ['queued', 'running', 'paused'])
            .select('i.id'),
        ),
        hasWaitingCalls(eb.ref('a.id')),
      ]),
    );
  if (afterId !== null) agents = agents.where('a.id', '>', afterId);
  return agents
    .select(['a.id as agentId', 'a.workspaceId', 'a.name', 'a.provider'])
    .select((eb) => hasWaitingCalls(eb.ref('a.id')).as('waits'))
    .orderBy('a.id')
    .limit(limit)
    .execute();
}
