import { sql } from 'kysely';
import { envelopeBody } from '../../domain/delivery/envelope.ts';
import type { JsonObject } from '../../domain/json.ts';
import { WEBHOOK_EVENTS, type WebhookEvent, type WorkspaceEventKind } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type EventMessage, enqueueFor, listeners } from './deliveries.ts';

interface Told {
  kind: WebhookEvent;
  ref: string;
}

interface IssueRow {
  id: string;
  /** The newest entry of its history: a second regression is another event. */
  changeId: string | null;
  at: string;
  data: JsonObject;
}

/** Deliveries of what happened to issues, in the transaction in which it happened; a look at the addresses where nobody asked. */
export async function enqueueOfIssues(
  em: EntityManager,
  agentId: string,
  events: readonly { kind: WorkspaceEventKind; ref: string | null }[],
): Promise<void> {
  const told = events.flatMap(({ kind, ref }): Told[] => {
    const event = WEBHOOK_EVENTS.find((known) => known === kind);
    return event === undefined || ref === null ? [] : [{ kind: event, ref }];
  });
  if (told.length === 0) return;
  const addresses = await listeners(em, agentId, [...new Set(told.map(({ kind }) => kind))]);
  const [first] = addresses;
  if (first === undefined) return;
  const issues = await loadIssues(em, agentId, [...new Set(told.map(({ ref }) => ref))]);
  const messages = told.flatMap(({ kind: event, ref }): EventMessage[] => {
    const issue = issues.get(ref);
    if (issue === undefined) return [];
    const nth = event === 'issue.opened' || issue.changeId === null ? '' : `/${issue.changeId}`;
    return [{ event, eventKey: `issue:${ref}${nth}`, body: envelopeBody(event, issue.at, issue.data) }];
  });
  await enqueueFor(em, { workspaceId: first.workspaceId, agentId }, addresses, messages);
}

/** What a receiver needs to say what happened, under the names of the issue's resource; the rest is read from the API. */
async function loadIssues(em: EntityManager, agentId: string, ids: string[]): Promise<Map<string, IssueRow>> {
  const { rows } = await sql<IssueRow>`
    select i.id, (select h.id from issue_history h where h.issue_id = i.id order by h.created_at desc, h.id desc limit 1)
        as change_id, now() as at,
      jsonb_build_object('issueId', i.id, 'agentId', a.id, 'agentName', a.name, 'key', i.key, 'code', i.code,
        'title', i.title, 'lane', i.lane, 'status', i.status, 'source', i.source,
        'location', jsonb_build_object('kind', i.place_kind, 'id', i.place_id, 'label', i.place_label),
        'firstSeenVersion', i.first_seen_version, 'lastSeenVersion', i.last_seen_version) as data
    from issues i join agents a on a.id = i.agent_id
    where i.agent_id = ${agentId} and i.id = any(${ids}::uuid[])
  `.execute(db(em));
  return new Map(rows.map((row) => [row.id, row]));
}
