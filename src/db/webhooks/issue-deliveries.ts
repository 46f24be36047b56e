import { sql } from 'kysely';
import type { JsonObject } from '../../domain/json.ts';
import { isMessageEvent } from '../../domain/messages/notice.ts';
import type { MessageEvent, WorkspaceEventKind } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type Announcement, announceTo, findAudience } from './announce.ts';

interface IssueRow {
  id: string;
  /** The newest entry of its history: a second regression is another event. */
  changeId: string | null;
  at: string;
  data: JsonObject;
}

/** Tells of what happened to issues, in the transaction in which it happened; a look at the addresses where nobody asked. */
export async function enqueueOfIssues(
  em: EntityManager,
  agentId: string,
  events: readonly { kind: WorkspaceEventKind; ref: string | null }[],
): Promise<void> {
  const told = events.flatMap(({ kind, ref }) =>
    kind.startsWith('issue.') && isMessageEvent(kind) && ref !== null ? [{ event: kind, ref }] : [],
  );
  if (told.length === 0) return;
  const audience = await findAudience(em, agentId, [...new Set(told.map(({ event }) => event))]);
  if (audience === null) return;
  const issues = await loadIssues(em, agentId, [...new Set(told.map(({ ref }) => ref))]);
  const announced = told.flatMap(({ event, ref }): Announcement[] => {
    const issue = issues.get(ref);
    return issue === undefined ? [] : [{ event, eventKey: keyOf(event, issue), at: issue.at, data: issue.data }];
  });
  await announceTo(em, audience, agentId, announced);
}

/** What one event of an issue tells beyond the issue. */
export interface IssueEvent {
  event: 'issue.assigned' | 'issue.commented';
  eventKey: string;
  more: JsonObject;
  personIds: readonly string[];
}

/** Tells of what a person did about an issue. */
export async function announceOfIssue(
  em: EntityManager,
  agentId: string,
  issueId: string,
  { event, eventKey, more, personIds }: IssueEvent,
): Promise<void> {
  const audience = await findAudience(em, agentId, [event]);
  if (audience === null) return;
  const issue = (await loadIssues(em, agentId, [issueId])).get(issueId);
  if (issue === undefined) return;
  const data = { ...issue.data, ...more };
  await announceTo(em, audience, agentId, [{ event, eventKey, at: issue.at, data, personIds }]);
}

/** A day may be unlike those before more than once: each is another event, as each change of the status is. */
function keyOf(event: MessageEvent, { id, changeId, at }: IssueRow): string {
  if (event === 'issue.spiked') return `issue:${id}/${at.slice(0, 10)}`;
  return event === 'issue.opened' || changeId === null ? `issue:${id}` : `issue:${id}/${changeId}`;
}

/** What a receiver needs to say what happened, under the names of the issue's resource; the rest is read from the API. */
async function loadIssues(em: EntityManager, agentId: string, ids: string[]): Promise<Map<string, IssueRow>> {
  const { rows } = await sql<IssueRow>`
    select i.id, (select h.id from issue_history h where h.issue_id = i.id order by h.created_at desc, h.id desc limit 1)
        as change_id, now() as at,
      jsonb_build_object('issueId', i.id, 'agentId', a.id, 'agentName', a.name, 'key', i.key, 'code', i.code,
        'title', i.title, 'lane', i.lane, 'severity', i.severity, 'status', i.status, 'source', i.source,
        'location', jsonb_build_object('kind', i.place_kind, 'id', i.place_id, 'label', i.place_label),
        'firstSeenVersion', i.first_seen_version, 'lastSeenVersion', i.last_seen_version) as data
    from issues i join agents a on a.id = i.agent_id
    where i.agent_id = ${agentId} and i.id = any(${ids}::uuid[])
  `.execute(db(em));
  return new Map(rows.map((row) => [row.id, row]));
}
