import type { TryResult } from '../delivery/outcome.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { type ChannelKind, type MessageEvent, PAGED_EVENTS, type PagedEvent } from '../vocabulary.ts';
import type { Message } from './compose.ts';
import { oneLine } from './escape.ts';
import { severityOf, threadOf } from './notice.ts';
import { refusedBy, type SlackAnswer } from './slack-answer.ts';
import { type Worded, wordingOf } from './wording.ts';

/** What a service that calls people is told of a problem. A test opens one and closes it. */
export interface Page {
  action: 'trigger' | 'resolve' | 'test';
  /** Names the problem for good: opened twice it is one, and what is not open is not closed. */
  key: string;
  severity: 'critical' | 'error' | 'warning' | 'info';
  source: string;
  url: string;
}

/** Services that call people and keep what is open, each problem by itself and at once. */
export const isPager = (kind: ChannelKind): boolean => kind === 'pagerduty' || kind === 'opsgenie';
export const isPagedEvent = (event: MessageEvent): event is PagedEvent => PAGED_EVENTS.some((one) => one === event);

const ACTIONS: Readonly<Record<PagedEvent, Page['action']>> = {
  'issue.opened': 'trigger',
  'issue.regressed': 'trigger',
  'issue.spiked': 'trigger',
  'issue.resolved': 'resolve',
  'watch.failing': 'trigger',
  'watch.recovered': 'resolve',
  'alarm.raised': 'trigger',
  'alarm.continues': 'trigger',
  'alarm.recovered': 'resolve',
};

const SEVERITIES = { critical: 'critical', high: 'error', medium: 'warning', low: 'info' } as const;

/** Null for what no pager is told of. */
export function pageOf(notice: Worded, publicUrl: string): Page | null {
  const { event, agentId, facts } = notice;
  if (!isPagedEvent(event)) return null;
  const severity = severityOf(facts);
  return {
    action: ACTIONS[event],
    key: `earshot/${agentId}/${threadOf(event, agentId, facts)}`,
    severity: severity === null ? 'warning' : SEVERITIES[severity],
    source: typeof facts.agentName === 'string' ? oneLine(facts.agentName, 100) : 'Earshot',
    url: `${publicUrl}${wordingOf(notice).path}`,
  };
}

export const testPage = (channelId: string, publicUrl: string): Page => ({
  action: 'test',
  key: `earshot/test/${channelId}`,
  severity: 'info',
  source: 'Earshot',
  url: publicUrl,
});

const SUMMARY_AT_MOST = 1_024;
const TITLE_AT_MOST = 130;

/** An event of PagerDuty's Events API v2. */
export function pagerDutyEvent(
  routingKey: string,
  { key, severity, source, url }: Page,
  message: Message,
  action: 'trigger' | 'resolve',
): JsonObject {
  const named = { routing_key: routingKey, event_action: action, dedup_key: key };
  if (action === 'resolve') return named;
  const payload = {
    summary: oneLine(message.subject, SUMMARY_AT_MOST),
    source,
    severity,
    custom_details: { text: message.text },
  };
  return { ...named, client: 'Earshot', client_url: url, links: [{ href: url, text: 'Open in Earshot' }], payload };
}

const PRIORITIES = { critical: 'P1', error: 'P2', warning: 'P3', info: 'P5' } as const;

/** A request to Opsgenie's Alert API: the path beneath its address, and the body. */
export function opsgenieAlert(
  { key, severity, source, url }: Page,
  message: Message,
  action: 'trigger' | 'resolve',
): { path: string; body: JsonObject } {
  if (action === 'resolve') {
    return { path: `/v2/alerts/${encodeURIComponent(key)}/close?identifierType=alias`, body: { source: 'Earshot' } };
  }
  const body = {
    message: oneLine(message.subject, TITLE_AT_MOST),
    alias: key,
    description: message.text,
    priority: PRIORITIES[severity],
    source: 'Earshot',
    entity: source,
    details: { url },
  };
  return { path: '/v2/alerts', body };
}

const WORDS_AT_MOST = 120;
/** The key or the service is gone. Of PagerDuty, 400 says what is wrong with the event, its key among it. */
const LASTING = new Set([400, 401, 402, 403, 404, 422]);

const errorsOf = ({ errors }: JsonObject) =>
  Array.isArray(errors) ? errors.filter((one) => typeof one === 'string') : [];

/** What either answers: 202 where it was taken, else why not. */
export function readPagerAnswer({ status, text, json, retryAfterMs }: SlackAnswer): TryResult {
  if (status >= 200 && status < 300) return { status, retryAfterMs: null };
  const said =
    isJsonObject(json) && typeof json.message === 'string' ? [json.message, ...errorsOf(json)].join(': ') : text;
  return refusedBy(status, oneLine(said, WORDS_AT_MOST), retryAfterMs, LASTING);
}
