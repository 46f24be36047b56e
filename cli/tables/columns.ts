import { listed } from '../../src/domain/counted.ts';
import { Problem } from '../problem.ts';

/** What columns can hold, with the names that people give to them, compared without case, spaces and signs. */
const OF_CALL = {
  id: ['id', 'callid', 'conversationid', 'sessionid'],
  startedAt: ['startedat', 'starttime', 'createdat', 'timestamp', 'date'],
  endedAt: ['endedat', 'endtime'],
  direction: ['direction'],
  callerNumber: ['callernumber', 'fromnumber', 'from'],
  version: ['version', 'agentversion'],
  disconnectionReason: ['disconnectionreason', 'endreason', 'closereason'],
  endedBy: ['endedby'],
  language: ['language', 'locale'],
  channel: ['channel'],
  transcript: ['transcript', 'conversation'],
} as const;
const OF_TURN = {
  role: ['role', 'speaker', 'sender'],
  text: ['text', 'content', 'message', 'utterance', 'words'],
  startMs: ['startms'],
  endMs: ['endms'],
  startSeconds: ['startseconds', 'start', 'offset'],
  endSeconds: ['endseconds', 'end'],
  nodeId: ['nodeid'],
  interrupted: ['interrupted'],
  toolName: ['toolname', 'tool'],
  toolArguments: ['toolarguments', 'toolargs', 'arguments'],
  toolResult: ['toolresult', 'tooloutput'],
} as const;

export type CallField = keyof typeof OF_CALL;
export type TurnField = keyof typeof OF_TURN;
type Field = CallField | TurnField;

const NAMES: Readonly<Record<Field, readonly string[]>> = { ...OF_CALL, ...OF_TURN };
const FIELDS = Object.keys(NAMES) as Field[];
export const CALL_FIELDS = Object.keys(OF_CALL) as CallField[];

const MEANINGS = { id: 'the id of a call', role: 'who speaks', text: 'what is said' } as const;

/** At which place of a row each field stands. */
export type Columns = ReadonlyMap<Field, number>;

/**
 * @param given `field=Column name`, which goes before what the names of columns say.
 * @throws Problem where a call or its words could not be told.
 */
export function columnsOf(header: readonly string[], given: readonly string[]): Columns {
  const columns = new Map<Field, number>(given.map((text) => chosen(text, header)));
  const taken = new Set(columns.values());
  for (const field of FIELDS) {
    const at = header.findIndex((name, place) => !taken.has(place) && NAMES[field].includes(spelling(name)));
    if (columns.has(field) || at < 0) continue;
    columns.set(field, at);
    taken.add(at);
  }
  const needed = columns.has('transcript') ? (['id'] as const) : (['id', 'role', 'text'] as const);
  const missing = needed.filter((field) => !columns.has(field));
  if (missing.length === 0) return columns;
  throw new Problem(
    `The table has no column for ${listed(missing.map((field) => MEANINGS[field]))}. Its columns are ${header.join(', ')}. Say which one it is with ${missing.map((field) => `--column "${field}=…"`).join(' ')}.`,
  );
}

function chosen(text: string, header: readonly string[]): [Field, number] {
  const [name = '', ...rest] = text.split('=');
  const field = FIELDS.find((one) => one === name.trim());
  if (field === undefined || rest.length === 0) {
    throw new Problem(`--column ${text}: give field=column, where the field is one of ${FIELDS.join(', ')}.`);
  }
  const at = header.findIndex((one) => one.trim() === rest.join('=').trim());
  if (at < 0) throw new Problem(`--column ${text}: the file has no such column. It has ${header.join(', ')}.`);
  return [field, at];
}

const spelling = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
