import { describe, expect, test } from 'vitest';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { roleOfUse } from '../../../src/domain/calls/use-roles.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

/** The role of the last tool of a call. */
function role(asked: string, ...tools: readonly (string | Line)[]): string | null {
  const lines = tools.flatMap((tool): Line[] => {
    const call: Line = typeof tool === 'string' ? { call: tool, args: { to: 'x' } } : tool;
    return 'call' in call ? [call, { result: call.call, body: { ok: true } }] : [call];
  });
  const reading = readTurns(scripted([{ a: 'Hello.' }, { c: asked }, ...lines, { a: 'All done.' }]));
  const last = reading.tools.at(-1);
  return last === undefined ? null : roleOfUse(reading, last);
}

const BOOK = 'I would like to book a table.';

describe('a tool is for', () => {
  test.each([
    ['main', BOOK, ['book_table']],
    ['main', BOOK, ['get_menu']],
    ['extra', BOOK, ['book_table', 'send_sms']],
    ['extra', BOOK, ['book_table', 'sendConfirmationEmail']],
    ['extra', BOOK, ['book_table', 'log_call']],
    ['extra', BOOK, ['get_menu', 'send_text']],
    ['main', 'Can you text me the menu?', ['book_table', 'send_text']],
    ['main', BOOK, ['send_text']],
    ['main', BOOK, ['send_text', 'add_note']],
    ['relay', BOOK, ['book_table', 'request_callback']],
    ['relay', BOOK, ['schedule_call']],
    ['relay', BOOK, ['rueckruf_anlegen']],
    ['main', BOOK, ['end_call']],
    ['main', 'What does a double cost?', ['get_room_rate']],
  ] as const)('%s: %s %s', (expected, asked, tools) => {
    expect(role(asked, ...tools)).toBe(expected);
  });
});

describe('a message is', () => {
  test('handed on where it holds a number to call', () => {
    expect(role(BOOK, { call: 'take_message', args: { text: 'Table for 4', phone: '555 0100' } })).toBe('relay');
  });
  test('told and done where it holds none', () => {
    expect(role(BOOK, { call: 'take_message', args: { text: 'Table for 4' } })).toBe('main');
    expect(role(BOOK, { call: 'take_message', args: { text: 'Table for 4', phone: '' } })).toBe('main');
  });
  test('the matter itself where that is what the caller asked for', () => {
    const call: Line = { call: 'take_message', args: { text: 'Hello', phone: '555 0100' } };
    expect(role('Can I leave a message for the chef?', call)).toBe('main');
  });
});
