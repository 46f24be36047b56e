import type { ChannelMessageResource, ChannelResource, NotificationsResource } from '../src/contract/channel.ts';
import { MESSAGE_EVENTS, PAGED_EVENTS } from '../src/domain/vocabulary.ts';
import { PROGRAM } from '../src/layout.ts';
import { requireAgent } from './choose-agent.ts';
import { readAll } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';
import { stamp } from './times.ts';

/** The own e-mail of whoever is signed in. */
const ME = 'me';

export async function showChannels(session: Session): Promise<void> {
  const { client, print, json } = session;
  const me = await client.person<NotificationsResource>('GET', '/app/me/notifications');
  const channels = await readChannels(session);
  if (json) return print.json({ me, channels });
  const rows = channels.map((channel, at) => [
    String(at + 1),
    channel.name,
    channel.kind,
    channel.address,
    toldOf(channel),
    standingOf(channel),
  ]);
  if (me.subscriptions.length > 0) rows.push([ME, 'You', 'email', me.email, toldOf(me), standingOf(me)]);
  if (rows.length === 0) return print.line(`Nobody is told of anything. Begin: ${PROGRAM} notify add me`);
  print.table(['', 'Channel', 'By', 'Address', 'Told of', 'Standing'], rows);
}

export interface AddOptions {
  name?: string;
  token?: string;
  on?: string[];
  agent?: string;
  severity?: string;
  digest: 'immediate' | 'daily' | 'weekly';
  hour: number;
  day: string;
  quiet?: { from: string; to: string };
  timeZone?: string;
}

export async function addChannel(session: Session, address: string, options: AddOptions): Promise<void> {
  const { client, print, json } = session;
  const subscription = await subscriptionOf(session, options);
  const events = isPager(address) && options.on === undefined ? [...PAGED_EVENTS] : subscription.events;
  const subscriptions = [{ ...subscription, events }];
  if (address === ME) {
    const body = { subscriptions, enabled: true };
    const me = await client.person<NotificationsResource>('PUT', '/app/me/notifications', body);
    if (json) return print.json(me);
    print.line(`You are told at ${me.email}. Try it: ${PROGRAM} notify test me`);
    return noteUnavailable(session, me);
  }
  const body = { ...targetOf(address, options.token), name: options.name ?? nameOf(address), subscriptions };
  const channel = await client.person<ChannelResource>('POST', '/app/channels', body);
  if (json) return print.json(channel);
  print.line(`${channel.name} is told. Try it: ${PROGRAM} notify test ${channel.id}`);
}

/** @throws Problem where the message did not get through. */
export async function testChannel(session: Session, wanted: string): Promise<void> {
  const { client, print, json } = session;
  const path = wanted === ME ? '/app/me/notifications' : `/app/channels/${(await findChannel(session, wanted)).id}`;
  const message = await client.person<ChannelMessageResource>('POST', `${path}/test`);
  if (json) print.json(message);
  const { state, lastStatus, lastError } = message;
  if (state === 'delivered') {
    if (!json) print.line(`It got through: the server answered ${lastStatus ?? ''}.`);
    return;
  }
  throw new Problem(lastError ?? `No worker has sent it yet. Is one running? ${PROGRAM} doctor`, EXIT.failed);
}

export async function removeChannel(session: Session, wanted: string): Promise<void> {
  const { client, print, json } = session;
  if (wanted === ME) {
    const body = { subscriptions: [] };
    const me = await client.person<NotificationsResource>('PUT', '/app/me/notifications', body);
    return json ? print.json(me) : print.line('You are told of nothing any more.');
  }
  const { id } = await findChannel(session, wanted);
  const channel = await client.person<ChannelResource>('DELETE', `/app/channels/${id}`);
  if (json) return print.json(channel);
  print.line(`Deleted ${channel.name}.`);
}

const readChannels = ({ client }: Session) =>
  readAll<ChannelResource>((path) => client.person('GET', path), '/app/channels');

/** @param wanted its id, its name, or its number in the list. */
async function findChannel(session: Session, wanted: string): Promise<ChannelResource> {
  const channels = await readChannels(session);
  const named = channels.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted);
  if (named.length > 1) throw new Problem(`${named.length} channels are called ${wanted}: use the id.`, EXIT.failed);
  const found = named[0] ?? channels[Number(wanted) - 1];
  if (!found) throw new Problem(`There is no channel ${wanted}. See: ${PROGRAM} notify list`, EXIT.failed);
  return found;
}

async function subscriptionOf(session: Session, options: AddOptions) {
  const { on = MESSAGE_EVENTS, severity = null, digest, hour, day, quiet = null, agent } = options;
  return {
    events: [...on],
    minSeverity: severity,
    agentId: agent === undefined ? null : (await requireAgent(session, agent)).id,
    timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    quietHours: quiet,
    digest: { every: digest, ...(digest === 'immediate' ? {} : { hour }), ...(digest === 'weekly' ? { day } : {}) },
  };
}

const PAGERS = ['pagerduty', 'opsgenie'] as const;
type Pager = (typeof PAGERS)[number];
const isPager = (address: string): address is Pager => PAGERS.some((pager) => pager === address);

function targetOf(address: string, token: string | undefined) {
  if (isPager(address)) {
    if (token === undefined) throw new Problem(`${address} needs its key: --token <key>.`);
    return address === 'pagerduty' ? { kind: address, routingKey: token } : { kind: address, apiKey: token };
  }

  if (token !== undefined) return { kind: 'slack', token, conversation: address };
  if (/^https?:/.test(address)) return { kind: 'slack', url: address };
  if (address.includes('@')) return { kind: 'email', address };
  throw new Problem(`${address} is no e-mail address and no https address. A conversation of Slack needs --token.`);
}

const nameOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address);

function toldOf({ subscriptions }: Pick<ChannelResource, 'subscriptions'>): string {
  const events = new Set(subscriptions.flatMap((one) => one.events));
  const digests = new Set(subscriptions.map(({ digest }) => digest.every));
  const what = events.size === MESSAGE_EVENTS.length ? 'all events' : [...events].join(', ');
  return `${what} (${[...digests].join(', ')})`;
}

function standingOf({
  enabled,
  unavailable,
  offReason,
  failingSince,
}: ChannelResource | NotificationsResource): string {
  if (unavailable !== null) return unavailable;
  if (!enabled) return offReason ?? 'switched off';
  return failingSince === null ? 'works' : `fails since ${stamp(failingSince)}`;
}

function noteUnavailable({ print }: Session, { unavailable }: NotificationsResource): void {
  if (unavailable !== null) print.note(unavailable);
}
