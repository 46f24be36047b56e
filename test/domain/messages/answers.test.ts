import { describe, expect, test } from 'vitest';
import { judgeTry } from '../../../src/domain/delivery/outcome.ts';
import { readMailTrouble } from '../../../src/domain/messages/mail-answer.ts';
import { readApiAnswer, readHookAnswer, type SlackAnswer } from '../../../src/domain/messages/slack-answer.ts';

const DAY_MS = 86_400_000;

function answer(status: number, text: string, retryAfterMs: number | null = null): SlackAnswer {
  let json: SlackAnswer['json'];
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, text, json, retryAfterMs };
}

describe('an incoming webhook', () => {
  test.each([
    [200, 'ok'],
    [200, 'OK\n'],
    [204, ''],
    [200, '1'],
    [200, '{"ok": true}'],
    [200, '{"success": true}'],
  ])('that answers %i %j took the message', (status, text) => {
    expect(judgeTry(readHookAnswer(answer(status, text)))).toEqual({ kind: 'delivered' });
  });

  test.each([
    ['lies', 200, '<html>Sign in</html>', 'It answered 200, but not as Slack does: “<html>Sign in</html>”.', null],
    ['says no in JSON', 200, '{"ok": false}', 'It answered 200, but not as Slack does: “{"ok": false}”.', null],
    ['is gone', 404, 'no_service', 'It answered 404: “no_service”.', DAY_MS],
    ['is gone for good', 410, 'channel_is_archived', 'It answered 410: “channel_is_archived”.', DAY_MS],
    ['may not be used', 403, 'action_prohibited', 'It answered 403: “action_prohibited”.', DAY_MS],
    ['breaks', 500, '', 'It answered 500.', null],
  ])('that %s did not', (_, status, text, error, retryAfterMs) => {
    expect(judgeTry(readHookAnswer(answer(status, text)))).toEqual({ kind: 'failed', error, retryAfterMs });
  });

  test('that asks to wait is left alone for as long', () => {
    expect(judgeTry(readHookAnswer(answer(429, 'rate_limited', 30_000)))).toMatchObject({ retryAfterMs: 30_000 });
  });
});

describe("Slack's API", () => {
  test('names the message that it took', () => {
    expect(readApiAnswer(answer(200, '{"ok": true, "ts": "1.2"}'))).toEqual({
      status: 200,
      retryAfterMs: null,
      ref: '1.2',
    });
  });

  test.each([
    ['{"ok": false, "error": "channel_not_found"}', 'Slack refused it: channel_not_found.', DAY_MS],
    ['{"ok": false, "error": "internal_error"}', 'Slack refused it: internal_error.', null],
    ['{"ok": true}', 'It answered 200, but not as Slack does: “{"ok": true}”.', null],
    ['[]', 'It answered 200, but not as Slack does: “[]”.', null],
    ['garbage', 'It answered 200, but not as Slack does: “garbage”.', null],
  ])('says %s: it did not get through', (text, error, retryAfterMs) => {
    expect(judgeTry(readApiAnswer(answer(200, text)))).toEqual({ kind: 'failed', error, retryAfterMs });
  });
});

describe('a mail server', () => {
  test.each([
    ['EENVELOPE', 550, '550 No such user', 'The address was refused: “550 No such user”.', DAY_MS, undefined],
    ['EMESSAGE', 554, '554 Spam', 'The address was refused: “554 Spam”.', DAY_MS, undefined],
    ['EENVELOPE', 450, '450 Later', 'The mail server asks to try later: “450 Later”.', null, undefined],
    [
      'EENVELOPE',
      550,
      '550 <"Mary"@example.com>: unknown; see help@example.com, please',
      'The address was refused: “550 <(address)>: unknown; see (address), please”.',
      DAY_MS,
      undefined,
    ],
    ['EAUTH', 535, '535 Who?', 'The mail server could not be used: 535 Who?.', null, true],
    ['ECONNECTION', null, 'refused', 'The mail server could not be used: refused.', null, true],
    [null, null, '', 'The mail server could not be used: no answer.', null, true],
  ])(
    '%s %s is held against the address only where it speaks of it',
    (code, reply, said, error, retryAfterMs, isOurs) => {
      const verdict = judgeTry(readMailTrouble({ code, reply, said }));
      expect(verdict).toEqual({ kind: 'failed', error, retryAfterMs, ...(isOurs ? { isOurs } : {}) });
    },
  );
});
