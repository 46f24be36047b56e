import type { JsonObject } from '../json.ts';
import type { MessageEvent } from '../vocabulary.ts';
import { wordsOf } from './notice.ts';

/** What a person reads of one event, in plain text that no markup was made of yet. */
export interface Wording {
  /** What happened, in fixed words. */
  event: string;
  /** To what, in words of the workspace. */
  subject: string;
  /** What else there is to know, a line each. */
  lines: string[];
  /** Words of a call that show it. */
  quote: string | null;
  /** The page on which to go on, beneath the address of this instance. */
  path: string;
  /** What is to be done there, on a button. */
  action: string;
}

const EVENT_WORDS: Record<MessageEvent, string> = {
  'issue.opened': 'New issue',
  'issue.regressed': 'Came back',
  'issue.resolved': 'Resolved',
  'issue.spiked': 'Spike',
  'issue.assigned': 'Assigned',
  'issue.commented': 'Comment',
  'run.awaiting_approval': 'Waits for approval',
  'run.refused': 'Refused by its budget',
  'watch.failing': 'Watch fails',
  'watch.recovered': 'Watch holds again',
  'alarm.raised': 'Alarm',
  'alarm.continues': 'Alarm goes on',
  'alarm.recovered': 'Alarm is over',
  'import.stuck': 'Import is stuck',
  'version.untested': 'Not tested',
};

export interface Worded {
  event: MessageEvent;
  agentId: string;
  facts: JsonObject;
  /** Null where none is known, or none may leave. */
  quote: string | null;
}

export function wordingOf({ event, agentId, facts, quote }: Worded): Wording {
  const page = `/a/${agentId}`;
  const head = (subject: string) => ({ event: EVENT_WORDS[event], subject });
  const fact = (name: string) => wordsOf(facts, name);
  switch (event) {
    case 'issue.opened':
    case 'issue.regressed':
    case 'issue.resolved':
    case 'issue.spiked':
    case 'issue.assigned':
    case 'issue.commented':
      return {
        ...head(fact('title')),
        lines: issueLines(event, facts),
        quote,
        path: `${page}/issues/${fact('issueId')}`,
        action: 'Open the issue',
      };
    case 'run.awaiting_approval':
    case 'run.refused': {
      const isOpen = event === 'run.awaiting_approval';
      return {
        ...head(`run of version ${fact('version')}`),
        lines: [fact('message'), isOpen ? `It waits until ${asMinute(fact('waitsUntil'))}.` : ''].filter(Boolean),
        quote: null,
        path: `${page}/runs/${fact('runId')}${isOpen ? '/approve' : ''}`,
        action: isOpen ? 'Approve or refuse' : 'Open the run',
      };
    }
    case 'watch.failing':
    case 'watch.recovered':
      return {
        ...head(fact('name')),
        lines: [fact('message')].filter(Boolean),
        quote: null,
        path: `${page}/watches/${fact('watchId')}`,
        action: 'Open the watch',
      };
    case 'alarm.raised':
    case 'alarm.continues':
    case 'alarm.recovered':
      return {
        ...head(`${fact('name')}${LEVEL_WORDS[fact('level')] ?? ''}`),
        lines: [fact('message')].filter(Boolean),
        quote: null,
        path: `${page}/alarms/${fact('slug')}`,
        action: 'Open the alarm',
      };
    case 'import.stuck':
      return {
        ...head(`waits for ${fact('waitsFor') || 'its platform'}`),
        lines: [`Since ${asMinute(fact('since'))}; ${fact('stored') || '0'} calls are stored.`],
        quote: null,
        path: `${page}/imports/${fact('importId')}`,
        action: 'Open the import',
      };
    case 'version.untested':
      return {
        ...head(`version ${fact('version')} went live`),
        lines: [fact('message')].filter(Boolean),
        quote: null,
        path: `${page}/versions`,
        action: 'Open the versions',
      };
    default:
      return event satisfies never;
  }
}

const LEVEL_WORDS: Readonly<Record<string, string>> = { critical: ' is critical', warning: ' is at warning level' };

function issueLines(event: MessageEvent, facts: JsonObject): string[] {
  const fact = (name: string) => wordsOf(facts, name);
  const severity = fact('severity');
  const said = event === 'issue.commented' ? `${fact('personName')}: ${fact('text')}` : '';
  const owner = event === 'issue.assigned' ? ownerLine(fact('ownerName'), fact('personName')) : '';
  const what = [severity && `Severity: ${severity}`, `status: ${fact('status')}`].filter(Boolean).join(', ');
  return [said, owner, what && `${what[0]?.toUpperCase() ?? ''}${what.slice(1)}.`].filter(Boolean);
}

const ownerLine = (owner: string, by: string) =>
  by === '' ? `${owner} looks after it.` : `${by} had ${owner} look after it.`;

/** `2026-03-02T09:15:04.120Z` as `2026-03-02 09:15 UTC`; anything else as it is. */
function asMinute(time: string): string {
  const [, day, minute] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(time) ?? [];
  return day && minute ? `${day} ${minute} UTC` : time;
}

/** Whether words of a call say more about it. */
export const isQuotedEvent = (event: MessageEvent) =>
  event === 'issue.opened' || event === 'issue.regressed' || event === 'issue.spiked';

export const eventWords = (event: MessageEvent) => EVENT_WORDS[event];
