import { clockIn, flagIn, type Json, jsonIn, talkIn, timeIn, Unusable, wholeNumberIn } from './cells.ts';
import { CALL_FIELDS, type CallField, type Columns, type TurnField } from './columns.ts';

/** A row of the file; its line is the one that it begins on. */
export interface Row {
  line: number;
  cells: string[];
}

/** Where a call can't be read, and why. */
export interface Fault {
  line: number;
  field: string | null;
  reason: string;
}

type Fields = Record<string, Json>;

/** The record of one call: a row holds a turn, or the whole talk in a cell. @throws FaultyCell */
export function recordOf(rows: readonly Row[], columns: Columns, header: readonly string[]): Fields {
  const read = new Reader(columns, header);
  const record: Fields = {};
  for (const field of CALL_FIELDS) {
    const row = rows.find((one) => read.cell(one, field) !== '');
    if (row && field !== 'transcript') record[field] = read.field<Json>(row, field, VALUES[field] ?? String);
  }
  const clocks = new Set(rows.map((row) => read.cell(row, 'startedAt')));
  if (!columns.has('transcript')) return { ...record, turns: rows.map((row) => turnOf(row, read, clocks.size > 1)) };
  const talks = rows.map((row) => read.field(row, 'transcript', talkIn));
  const [talk = ''] = talks;
  return { ...record, turns: talks.length === 1 ? talk : talks.flat() };
}

const VALUES: Partial<Record<CallField, (cell: string) => Json>> = {
  version: wholeNumberIn,
  startedAt: clockIn,
  endedAt: clockIn,
};

/** @param isTimed each row has its own clock time, which is the turn's. */
function turnOf(row: Row, read: Reader, isTimed: boolean): Fields {
  const turn: Fields = { role: read.cell(row, 'role'), text: read.cell(row, 'text') };
  const add = (field: TurnField | CallField, as: string, valueIn: (cell: string) => Json) => {
    if (read.cell(row, field) !== '') turn[as] = read.field(row, field, valueIn);
  };
  add('startMs', 'startMs', timeIn);
  add('endMs', 'endMs', timeIn);
  add('startSeconds', 'startSeconds', timeIn);
  add('endSeconds', 'endSeconds', timeIn);
  if (isTimed && turn.startMs === undefined && turn.startSeconds === undefined) add('startedAt', 'start', clockIn);
  add('nodeId', 'nodeId', String);
  add('interrupted', 'interrupted', flagIn);
  const name = read.cell(row, 'toolName');
  if (name === '') return turn;
  if (read.cell(row, 'toolResult') !== '') {
    return { ...turn, role: 'tool', text: '', toolResult: { name, body: read.field(row, 'toolResult', jsonIn) } };
  }
  return { ...turn, role: 'agent', toolCall: { name, args: read.field(row, 'toolArguments', jsonIn) } };
}

class Reader {
  readonly #columns: Columns;
  readonly #header: readonly string[];

  constructor(columns: Columns, header: readonly string[]) {
    this.#columns = columns;
    this.#header = header;
  }

  /** Empty where the file has no such column. */
  cell({ cells }: Row, field: CallField | TurnField): string {
    const at = this.#columns.get(field);
    return at === undefined ? '' : (cells[at]?.trim() ?? '');
  }

  field<Value>(row: Row, field: CallField | TurnField, valueIn: (cell: string) => Value): Value {
    try {
      return valueIn(this.cell(row, field));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      throw new FaultyCell({
        line: row.line,
        field: this.#header[this.#columns.get(field) ?? -1] ?? field,
        reason: error.message,
      });
    }
  }
}

export class FaultyCell extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.reason);
    this.fault = fault;
  }
}
