import type { Json, JsonObject } from '../json.ts';
import { escapeHtml, escapeSlack, oneLine } from './escape.ts';
import { wordsOf } from './notice.ts';
import { eventWords, type Worded, type Wording, wordingOf } from './wording.ts';

const SUBJECT_AT_MOST = 150;
const LINE_AT_MOST = 300;
const LISTED_AT_MOST = 15;

/** A message as it goes out, by whichever way. */
export interface Message {
  /** One line. */
  subject: string;
  text: string;
  html: string;
  slack: { text: string; blocks: JsonObject[] };
}

interface Item extends Wording {
  agent: string;
  url: string;
}

/** @param publicUrl where people reach this instance, without a slash at its end. */
export function composeMessage(notices: readonly Worded[], publicUrl: string): Message {
  const items = notices.map((notice) => itemOf(notice, publicUrl));
  const [only, second] = items;
  if (only === undefined) throw new Error('A message tells of something.');
  return second === undefined ? compose(headOf(only), [only], 0) : composeBundle(notices, items);
}

/** What a person gets who tries a channel. */
export function composeTest(channelName: string, publicUrl: string): Message {
  const title = oneLine(`A test of ${channelName}`, LINE_AT_MOST);
  const lines = ['Earshot reaches this channel. Nothing happened; somebody pressed the button to try it.'];
  const item = { agent: '', title, lines, quote: null, path: '', action: 'Open Earshot', url: publicUrl };
  return compose(`[Earshot] ${title}`, [item], 0);
}

const headOf = ({ agent, title }: Item) => (agent === '' ? title : `[${agent}] ${title}`);

function composeBundle(notices: readonly Worded[], items: readonly Item[]): Message {
  const counts = new Map<string, number>();
  for (const { event } of notices) counts.set(eventWords(event), (counts.get(eventWords(event)) ?? 0) + 1);
  const agents = new Set(items.map(({ agent }) => agent));
  const [agent = ''] = agents;
  const what = [...counts].map(([words, n]) => `${n} × ${words.toLowerCase()}`).join(', ');
  const listed = items.slice(0, LISTED_AT_MOST);
  return compose(`[${agents.size === 1 ? agent : 'Earshot'}] ${what}`, listed, items.length - listed.length);
}

function itemOf(notice: Worded, publicUrl: string): Item {
  const { title, lines, quote, path, action } = wordingOf(notice);
  return {
    agent: oneLine(wordsOf(notice.facts, 'agentName'), 100),
    title: oneLine(title, LINE_AT_MOST),
    lines: lines.map((line) => oneLine(line, LINE_AT_MOST)),
    quote: quote === null ? null : oneLine(quote, LINE_AT_MOST),
    path,
    action,
    url: `${publicUrl}${path}`,
  };
}

function compose(head: string, items: readonly Item[], more: number): Message {
  const subject = oneLine(head, SUBJECT_AT_MOST);
  const rest = more === 0 ? [] : [`And ${more} more.`];
  return {
    subject,
    text: [...items.map(asText), ...rest].join('\n\n'),
    html: [...items.map(asHtml), ...rest.map((line) => `<p>${line}</p>`)].join('\n'),
    slack: {
      text: escapeSlack(items.map((item) => `${headOf(item)}\n${item.url}`).join('\n')),
      blocks: [header(subject), ...items.flatMap((item) => asBlocks(item, items.length > 1)), ...rest.map(section)],
    },
  };
}

const quoted = (quote: string | null) => (quote === null ? [] : [`“${quote}”`]);

const asText = (item: Item) => [headOf(item), ...item.lines, ...quoted(item.quote), item.url].join('\n');

function asHtml({ lines, quote, url, action, ...item }: Item): string {
  const head = escapeHtml(headOf({ lines, quote, url, action, ...item }));
  const said = quote === null ? '' : `<blockquote>${escapeHtml(quote)}</blockquote>`;
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(action)}</a>`;
  return `<p><strong>${head}</strong></p>\n${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}${said}\n<p>${link}</p>`;
}

/** Data stands in plain text only, which Slack reads no markup in. */
const plain = (text: string): Json => ({ type: 'plain_text', text, emoji: false });
const header = (text: string): JsonObject => ({ type: 'header', text: plain(text) });
const section = (text: string): JsonObject => ({ type: 'section', text: plain(text) });

/** Of several, each names itself; of one, the header does. */
function asBlocks(item: Item, isListed: boolean): JsonObject[] {
  const words = [...(isListed ? [headOf(item)] : []), ...item.lines, ...quoted(item.quote)].join('\n');
  const button: JsonObject = { type: 'button', text: plain(item.action), url: item.url };
  return [...(words === '' ? [] : [section(words)]), { type: 'actions', elements: [button] }];
}
