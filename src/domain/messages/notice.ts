import type { Json, JsonObject } from '../json.ts';
import { MESSAGE_EVENTS, type MessageEvent, SEVERITIES, type Severity } from '../vocabulary.ts';

/** Something that happened, as a channel is told of it. */
export interface Notice {
  event: MessageEvent;
  /** What it tells of: the same one reaches a channel once. */
  eventKey: string;
  agentId: string;
  /** ISO 8601. */
  at: string;
  /** What a webhook is told of the same event. */
  facts: JsonObject;
  /** The people whom it concerns, for their own channels; null: whoever asked to hear of it. */
  personIds: readonly string[] | null;
}

export const isMessageEvent = (event: string): event is MessageEvent => MESSAGE_EVENTS.some((one) => one === event);

/** A fact in words; empty where there is none. */
export function wordsOf(facts: JsonObject, name: string): string {
  const fact = facts[name];
  return typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '';
}

export function severityOf({ severity }: JsonObject): Severity | null {
  return SEVERITIES.find((one) => one === severity) ?? null;
}

/** The problem that an event belongs to: what happens to it later is told beneath the first message on it. */
export function threadOf(event: MessageEvent, agentId: string, facts: JsonObject): string {
  const id = (...names: string[]) => names.map((name) => asKey(facts[name])).join('/');
  switch (event) {
    case 'issue.opened':
    case 'issue.regressed':
    case 'issue.resolved':
    case 'issue.spiked':
    case 'issue.assigned':
    case 'issue.commented':
      return `issue:${id('issueId')}`;
    case 'run.awaiting_approval':
    case 'run.refused':
      return `run:${id('runId')}`;
    case 'watch.failing':
    case 'watch.recovered':
      return `watch:${id('watchId', 'day')}`;
    case 'alarm.raised':
    case 'alarm.continues':
    case 'alarm.recovered':
      return `alarm:${id('alarmId', 'since')}`;
    case 'import.stuck':
      return `import:${id('importId', 'since')}`;
    case 'version.untested':
      return `version:${agentId}/${id('version')}`;
    default:
      return event satisfies never;
  }
}

const asKey = (fact: Json | undefined) => (typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '');
