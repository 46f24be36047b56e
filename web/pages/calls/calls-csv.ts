import type { components } from '../../client/schema.d.ts';

type Call = components['schemas']['Call'];
type Cell = string | number | null;

const COLUMNS: { name: string; of: (call: Call) => Cell }[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'platform_id', of: ({ providerCallId }) => providerCallId },
  { name: 'started_at', of: ({ startedAt }) => startedAt },
  { name: 'duration_s', of: ({ durationMs }) => durationMs / 1000 },
  { name: 'version', of: ({ version }) => version },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'intent', of: ({ intent }) => intent.label },
  { name: 'objective', of: ({ objective }) => objective },
  { name: 'call_of_caller', of: ({ caller }) => (caller.kind === 'unknown' ? null : caller.nth) },
  { name: 'calls_of_caller', of: ({ caller }) => (caller.kind === 'unknown' ? null : caller.of) },
  { name: 'signals', of: ({ signalCodes }) => signalCodes.join(' ') },
  { name: 'turns', of: ({ counts }) => counts.turns },
  { name: 'tool_failures', of: ({ counts }) => counts.toolFailures },
  { name: 'frictions', of: ({ counts }) => counts.frictions },
  { name: 'end_reason', of: ({ disconnectionReason }) => disconnectionReason },
];

/** What a spreadsheet would take for a formula, after whatever it skips before one. */
const FORMULA = /^\s*[=+\-@]|^[\t\r\n]/;

/** A text as a cell: never run as a formula, and quoted where it could be taken for more than one cell. */
export function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineOf = (cells: Cell[]) => `${cells.map(cellOf).join(',')}\r\n`;

/** Spreadsheets read a file as UTF-8 only where it says so. */
export const CSV_HEAD = `\uFEFF${lineOf(COLUMNS.map(({ name }) => name))}`;

export const linesOfCalls = (calls: Call[]): string =>
  calls.map((call) => lineOf(COLUMNS.map(({ of }) => of(call)))).join('');
