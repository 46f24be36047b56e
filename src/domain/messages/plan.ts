import { type ChannelKind, SEVERITIES, type Severity } from '../vocabulary.ts';
import { dueAt } from './due.ts';
import { type Notice, severityOf, threadOf } from './notice.ts';
import { isPagedEvent, isPager } from './page.ts';
import type { Subscription } from './subscription.ts';

/** More new problems than this, told in one breath, go to a channel together: a first import finds dozens. */
const APART_AT_MOST = 3;
/** Where updates can't stand beneath their message, those of so long go together. */
const UPDATES_TOGETHER_MS = 10 * 60_000;

export interface Channel {
  id: string;
  kind: ChannelKind;
  /** Whose own it is; null: the workspace's. */
  personId: string | null;
  subscriptions: readonly Subscription[];
  /** Whether an update can stand beneath the first message on its problem. */
  threads: boolean;
}

/** One message to be made: what it tells of, and when. */
export interface PlannedMessage {
  channelId: string;
  /** Names what is told together: others join it until it is sent. Null: it stands alone. */
  bundle: string | null;
  /** Milliseconds; null: at once. */
  dueMs: number | null;
  notices: readonly Notice[];
}

/**
 * What each channel is told of what happened, and when.
 * @param isTold whether a channel has a message on a problem already, which makes this an update
 */
export function planMessages(
  channels: readonly Channel[],
  happened: readonly Notice[],
  nowMs: number,
  isTold: (channelId: string, thread: string) => boolean,
): PlannedMessage[] {
  return channels.flatMap((channel) => {
    const wanted = happened.flatMap((notice) => {
      const when = whenTold(channel, notice, nowMs);
      return when === null ? [] : [{ notice, dueMs: when.dueMs }];
    });
    if (isPager(channel.kind)) {
      const paged = wanted.filter(({ notice }) => isPagedEvent(notice.event));
      return paged.map(({ notice }) => ({ channelId: channel.id, bundle: null, dueMs: null, notices: [notice] }));
    }
    const isUpdate = ({ event, agentId, facts }: Notice) => isTold(channel.id, threadOf(event, agentId, facts));
    const later = wanted.filter(({ dueMs }) => dueMs !== null);
    const atOnce = wanted.filter(({ dueMs }) => dueMs === null).map(({ notice }) => notice);
    const beneath = atOnce.filter((notice) => channel.threads || !isUpdate(notice));
    const updates = atOnce.filter((notice) => !channel.threads && isUpdate(notice));
    return [
      ...later.map(({ notice, dueMs }) => bundled(channel.id, [notice], dueMs ?? nowMs)),
      ...apart(channel.id, beneath),
      ...updates.map((notice) => bundled(channel.id, [notice], endOfSpan(nowMs))),
    ];
  });
}

function apart(channelId: string, notices: readonly Notice[]): PlannedMessage[] {
  const [first] = notices;
  if (first === undefined) return [];
  const alone = { channelId, bundle: null, dueMs: null };
  if (notices.length <= APART_AT_MOST) return notices.map((notice) => ({ ...alone, notices: [notice] }));
  return [{ ...alone, bundle: `at once/${first.event}/${first.eventKey}`, notices }];
}

const bundled = (channelId: string, notices: readonly Notice[], dueMs: number): PlannedMessage => ({
  channelId,
  bundle: `due/${new Date(dueMs).toISOString()}`,
  dueMs,
  notices,
});

const endOfSpan = (nowMs: number) => (Math.floor(nowMs / UPDATES_TOGETHER_MS) + 1) * UPDATES_TOGETHER_MS;

/** The earliest time that a subscription of the channel asks for; null where none wants it. */
function whenTold(channel: Channel, notice: Notice, nowMs: number): { dueMs: number | null } | null {
  if (channel.personId !== null && notice.personIds !== null && !notice.personIds.includes(channel.personId)) {
    return null;
  }
  const due = channel.subscriptions.filter((one) => wants(one, notice)).map((one) => dueAt(one, nowMs));
  if (due.length === 0) return null;
  return { dueMs: due.some((atMs) => atMs === null) ? null : Math.min(...due.map((atMs) => atMs ?? nowMs)) };
}

function wants({ events, agentId, minSeverity }: Subscription, notice: Notice): boolean {
  if (!events.includes(notice.event)) return false;
  if (agentId !== null && agentId !== notice.agentId) return false;
  const severity = severityOf(notice.facts);
  return minSeverity === null || severity === null || rank(severity) <= rank(minSeverity);
}

const rank = (severity: Severity) => SEVERITIES.indexOf(severity);
