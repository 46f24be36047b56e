import type { Json, JsonObject } from '../json.ts';
import { asName, escapeHtml, escapeSlack, oneLine } from './escape.ts';
import { wordsOf } from './notice.ts';
import type { Page } from './page.ts';
import { eventWords, type Worded, type Wording, wordingOf } from './wording.ts';

const SUBJECT_AT_MOST = 150;
const LINE_AT_MOST = 300;
const NAME_AT_MOST = 60;
const LISTED_AT_MOST = 15;

/** A message as it goes out, by whichever way. */
export interface Message {
  /** One line. */
  subject: string;
  text: string;
  html: string;
  slack: { text: string; blocks: JsonObject[] };
}

/** What a message of a channel is kept as: the same for each try. */
export interface KeptMessage {
  message: Message;
  threads: string[];
  /** Whether all of it can be news only to those who look away from the thread. */
  isLoud: boolean;
  /** Of a channel that calls people; left out where it is none. */
  page?: Page | null;
}

/** On whose behalf a message goes out: it is said in each. */
export interface MessageCause {
  workspaceName: string;
  /** Who set the channel up, or tries it; null where they are gone. */
  by: { name: string; email: string; emailVerified: boolean } | null;
  /** The reader's own notifications. */
  isOwn: boolean;
}

interface Item extends Wording {
  agent: string;
  url: string;
}

/** @param publicUrl where people reach this instance, without a slash at its end. */
export function composeMessage(notices: readonly Worded[], publicUrl: string, cause: MessageCause): Message {
  const items = notices.map((notice) => itemOf(notice, publicUrl));
  const [only, second] = items;
  if (only === undefined) throw new Error('A message tells of something.');
  if (second !== undefined) return composeBundle(notices, items, causeLine(cause));
  const { event, subject } = only;
  return compose(`${placeOf(only.agent)} ${event}: ${asName(subject, NAME_AT_MOST)}`, [only], 0, causeLine(cause));
}

/** What a person gets who tries a channel. */
export function composeTest(channelName: string, publicUrl: string, cause: MessageCause): Message {
  const lines = ['Earshot reaches this channel. Nothing happened; somebody pressed the button to try it.'];
  const head = { event: 'A test of a channel', subject: oneLine(channelName, LINE_AT_MOST) };
  const item = { agent: '', ...head, lines, quote: null, path: '', action: 'Open Earshot', url: publicUrl };
  const tried = `${byWhom(cause)} tries this channel of the workspace ${workspaceOf(cause)}.`;
  return compose('[Earshot] A test of a channel', [item], 0, tried);
}

/** What the owner of an address gets before anything else. @param link by which they agree */
export function composeAgreement(link: string, cause: MessageCause): Message {
  const lines = ['Nothing is sent to this address until you agree. If you did not expect this, do nothing.'];
  const head = { event: 'Messages for this address', subject: '' };
  const item = { agent: '', ...head, lines, quote: null, path: '', action: 'Choose', url: link };
  const asks = `${byWhom(cause)} asks to send messages of the workspace ${workspaceOf(cause)} to this address.`;
  return compose('[Earshot] Messages for this address', [item], 0, asks);
}

const titleOf = ({ event, subject }: Item) => oneLine(subject === '' ? event : `${event}: ${subject}`, LINE_AT_MOST);
const headOf = (item: Item) => (item.agent === '' ? titleOf(item) : `[${item.agent}] ${titleOf(item)}`);

/** The agent, or us where its name has nothing that a subject may hold. */
const placeOf = (agent: string) => `[${asName(agent, NAME_AT_MOST) || 'Earshot'}]`;

function causeLine(cause: MessageCause): string {
  const workspace = workspaceOf(cause);
  if (cause.isOwn) return `You asked for this in the workspace ${workspace}.`;
  return cause.by === null
    ? `The workspace ${workspace} sends this; who set the channel up is gone.`
    : `${byWhom(cause)} has the workspace ${workspace} send this here.`;
}

/** Names are given by whoever writes: mail programs would make links of what they hold. */
const workspaceOf = ({ workspaceName }: MessageCause) => `“${asName(workspaceName, NAME_AT_MOST)}”`;
const byWhom = ({ by }: MessageCause) =>
  by === null
    ? 'Somebody'
    : `${asName(by.name, NAME_AT_MOST)} (${oneLine(by.email, LINE_AT_MOST)}${by.emailVerified ? '' : ', not verified'})`;

function composeBundle(notices: readonly Worded[], items: readonly Item[], cause: string): Message {
  const counts = new Map<string, number>();
  for (const { event } of notices) counts.set(eventWords(event), (counts.get(eventWords(event)) ?? 0) + 1);
  const agents = new Set(items.map(({ agent }) => agent));
  const [agent = ''] = agents;
  const what = [...counts].map(([words, n]) => `${n} × ${words.toLowerCase()}`).join(', ');
  const listed = items.slice(0, LISTED_AT_MOST);
  return compose(`${placeOf(agents.size === 1 ? agent : '')} ${what}`, listed, items.length - listed.length, cause);
}

function itemOf(notice: Worded, publicUrl: string): Item {
  const { event, subject, lines, quote, path, action } = wordingOf(notice);
  return {
    agent: oneLine(wordsOf(notice.facts, 'agentName'), 100),
    event,
    subject: oneLine(subject, LINE_AT_MOST),
    lines: lines.map((line) => oneLine(line, LINE_AT_MOST)),
    quote: quote === null ? null : oneLine(quote, LINE_AT_MOST),
    path,
    action,
    url: `${publicUrl}${path}`,
  };
}

function compose(head: string, items: readonly Item[], more: number, cause: string): Message {
  const subject = oneLine(head, SUBJECT_AT_MOST);
  const rest = [...(more === 0 ? [] : [`And ${more} more.`]), cause];
  return {
    subject,
    text: [...items.map(asText), ...rest].join('\n\n'),
    html: [...items.map(asHtml), ...rest.map((line) => `<p>${escapeHtml(line)}</p>`)].join('\n'),
    slack: {
      text: escapeSlack([...items.map((item) => `${headOf(item)}\n${item.url}`), cause].join('\n')),
      blocks: [header(subject), ...items.flatMap((item) => asBlocks(item)), ...rest.map(section)],
    },
  };
}

const quoted = (quote: string | null) => (quote === null ? [] : [`“${quote}”`]);

const asText = (item: Item) => [headOf(item), ...item.lines, ...quoted(item.quote), item.url].join('\n');

function asHtml(item: Item): string {
  const { lines, quote, url, action } = item;
  const said = quote === null ? '' : `<blockquote>${escapeHtml(quote)}</blockquote>`;
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(action)}</a>`;
  return `<p><strong>${escapeHtml(headOf(item))}</strong></p>\n${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}${said}\n<p>${link}</p>`;
}

/** Data stands in plain text only, which Slack reads no markup in. */
const plain = (text: string): Json => ({ type: 'plain_text', text, emoji: false });
const header = (text: string): JsonObject => ({ type: 'header', text: plain(text) });
const section = (text: string): JsonObject => ({ type: 'section', text: plain(text) });

/** Each names itself in full: the header holds names alone. */
function asBlocks(item: Item): JsonObject[] {
  const words = [headOf(item), ...item.lines, ...quoted(item.quote)].join('\n');
  const button: JsonObject = { type: 'button', text: plain(item.action), url: item.url };
  return [section(words), { type: 'actions', elements: [button] }];
}
