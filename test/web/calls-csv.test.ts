import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { CSV_HEAD, cellOf, linesOfCalls } from '../../web/pages/calls/calls-csv.ts';

test.each([
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['+49 30 1234', `"'+49 30 1234"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  [' =1+1', `"' =1+1"`],
  ['\t=1', `"'\t=1"`],
  ['two\r\nlines', '"two\r\nlines"'],
  ['a, b; c', '"a, b; c"'],
  ['ليلى 予約', 'ليلى 予約'],
])('%j is the cell %s', (text, cell) => {
  expect(cellOf(text)).toBe(cell);
});

test('numbers stay numbers, and what is not known is empty', () => {
  expect([cellOf(-2.5), cellOf(0), cellOf(null)]).toEqual(['-2.5', '0', '']);
});

const label = { slug: 'refund', label: 'Refund, "now"' };
const call = {
  object: 'call' as const,
  id: '019d0000-0000-7000-8000-000000000000',
  providerCallId: '=cmd',
  version: 3,
  startedAt: null,
  endedAt: null,
  durationMs: 61_500,
  direction: 'inbound' as const,
  disconnectionReason: 'user_hangup',
  outcome: null,
  outcomeConfidence: null,
  objective: 'I want,\nmy money "back"',
  intent: label,
  useCase: label,
  subUseCase: label,
  callerPersona: label,
  caller: { kind: 'repeat' as const, nth: 2, of: 3 },
  counts: { turns: 9, callerTurns: 4, agentTurns: 5, toolFailures: 1, frictions: 0 },
  signalCodes: ['dead_air', 'tool_failed'],
};

test('a reader of tables finds each value in its column', () => {
  const [row, ...others] = parse(CSV_HEAD + linesOfCalls([call]), { bom: true, columns: true }) as object[];
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    platform_id: "'=cmd",
    started_at: '',
    duration_s: '61.5',
    intent: 'Refund, "now"',
    objective: 'I want,\nmy money "back"',
    calls_of_caller: '3',
    signals: 'dead_air tool_failed',
  });
});
