import type { NormalisedCall, ToolCall, ToolResult, Turn } from '../../src/domain/calls/call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import type { Place, Signal } from '../../src/domain/signals/signal.ts';
import { makeAnalysis, makeCall, makeSignal } from '../support/analysed-calls.ts';
import { randomFrom } from '../support/random.ts';
import { codes, HISTORY_DAYS, HISTORY_START } from './data.ts';

/** Calls of about 20 turns, with times and tools, each from a random start made of its number: any part of them can be made alone. */
export function benchCall(number: number): NormalisedCall {
  const random = randomFrom(number);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const turns: Turn[] = [];
  let clock = 800;
  const say = (role: Turn['role'], text: string, more: Partial<Turn> = {}) => {
    const startMs = clock + Math.floor(random() * 900);
    clock = startMs + text.length * 75;
    turns.push({ ...emptyTurn(turns.length), role, text, startMs, endMs: clock, ...more });
  };
  const useTool = (name: string, args: ToolCall['args'], body: ToolResult['body'], ok: boolean) => {
    const id = `use_${turns.length}`;
    say('agent', 'One moment, I will look that up for you.', { toolCall: { id, name, args } });
    const latencyMs = 300 + Math.floor(random() * 4000);
    clock += latencyMs;
    say('tool', '', { toolResult: { id, name, ok, okSource: 'flag', body, latencyMs } });
  };
  const order = `${pick(['RX', 'LM', 'QT'])}${1000 + Math.floor(random() * 9000)}`;
  const day = pick(['Monday', 'Tuesday', 'Thursday', 'Saturday']);
  say('agent', 'Hello, you have reached the parcel desk. What can I do for you?');
  say(
    'caller',
    `Hi. I ${pick(['want to move', 'have a question about', 'would like to cancel', 'am waiting for'])} my delivery.`,
  );
  say('agent', 'Of course. Could you give me the number on your order, please?');
  say('caller', `It is ${order.split('').join(' ')}.`);
  const failed = random() < 0.12;
  useTool(
    'find_order',
    { order },
    failed ? { error: 'service unavailable', status: 503 } : { order, status: 'on its way', day },
    !failed,
  );
  say(
    'agent',
    failed ? 'I am sorry, the system does not answer at the moment.' : `I found order ${order}. It comes on ${day}.`,
  );
  for (let round = 0; round < 4; round += 1) {
    say(
      'caller',
      `${pick(['Is there any chance', 'Would it be possible', 'I was hoping'])} ${pick(['that somebody rings first', 'to have it left with the neighbour', 'for it to come in the afternoon', 'to pay by card at the door'])}?`,
    );
    say(
      'agent',
      `${pick(['Let me note that down', 'I can add that to the order', 'That should be fine'])}. ${pick(['Which time suits you best?', 'Shall I put that in for you?', 'May I have a name for that?'])}`,
    );
  }
  const moved = random() < 0.85;
  useTool('change_delivery', { order, day }, moved ? { changed: true } : { error: 'timeout' }, moved);
  say(
    'agent',
    moved ? `Done. Your delivery is set for ${day}.` : 'That did not go through. A colleague will ring you back.',
  );
  say('caller', pick(['Great, thank you. Bye.', 'All right then, goodbye.', 'Hm. I will try again tomorrow.']));
  // One call a minute: calls reach an import in the order of their start.
  const startedAt = new Date(Date.parse(`${HISTORY_START}T00:00:00.000Z`) + number * 60_000);
  return {
    ...makeCall({ providerCallId: `bench-${number}` }),
    startedAt: startedAt.toISOString(),
    endedAt: new Date(startedAt.getTime() + clock).toISOString(),
    durationMs: clock,
    callerNumber: random() < 0.8 ? `+1555${String(Math.floor(random() * 1e7)).padStart(7, '0')}` : null,
    version: 1 + Math.floor(random() * 3),
    timing: 'exact',
    turns,
  };
}

function emptyTurn(index: number): Turn {
  return {
    index,
    role: 'other',
    text: '',
    startMs: null,
    endMs: null,
    words: null,
    interrupted: false,
    nodeId: null,
    toolCall: null,
    toolResult: null,
    dtmf: null,
    alternatives: null,
  };
}

/** What arrives on top of the loaded history: small calls on the newest days, with signals spread as there. */
export function arrivingCall(number: number): { call: NormalisedCall; analysis: CallAnalysis } {
  const random = randomFrom(number);
  const at = Date.parse(`${HISTORY_START}T00:00:00.000Z`) + (HISTORY_DAYS - random()) * 86_400_000;
  const list = codes();
  const signals: Signal[] = Array.from({ length: Math.floor(random() ** 2 * 4) }, () => {
    const code = 1 + Math.floor(random() ** 2.5 * list.length);
    const place = placeOf((code * 7 + Math.floor(random() ** 2 * 8)) % 40);
    return makeSignal({
      code: list[code - 1] ?? 'tool_failed',
      place,
      turnIndex: Math.floor(random() * 20),
      quote: '',
      confidence: 0.8,
      cause: code % 3 === 0 && random() < 0.8 ? causeOf(code) : null,
    });
  });
  return {
    call: makeCall({ providerCallId: `arriving-${number}`, version: 41, startedAt: new Date(at).toISOString() }),
    analysis: makeAnalysis({
      outcome: random() < 0.7 ? 'resolved' : 'unresolved',
      signals,
      visits: Array.from({ length: 6 }, () => ({ place: placeOf(Math.floor(random() * 40)), firstTurn: 0 })),
    }),
  };
}

function placeOf(number: number): Place {
  return { kind: number % 2 === 0 ? 'tool' : 'node', id: `place_${number}`, label: `place ${number}` };
}

function causeOf(code: number) {
  return { code: `cause_${code}`, label: `Cause ${code}`, detail: null, category: 'test', party: 'agent' as const };
}
