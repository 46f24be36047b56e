import { INJECTIONS } from './injections.ts';
import type { Loose } from './world.ts';

const TEXTS = [
  ...INJECTIONS,
  '<script>alert(1)</script><img src=x onerror=alert(2)> [a](javascript:alert(3)) ![](https://attacker.example/p.png)',
  'أريد حجز موعد يوم الخميس من فضلك، رقمي هو 5550142',
  'אני רוצה לבטל את ההזמנה שלי',
  '来週の金曜日に四人で予約したいのですが、空いていますか。',
  '我想知道我的包裹现在在哪里，已经等了三天了。',
  'left \u202egnitirw desrever\u202c and \u200bzero\u200bwidth\u200b and \u0007bell',
  'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(12),
  'I said no. No no no. 👩‍👩‍👧‍👦🏳️‍🌈 é\u0301\u0301\u0301\u0301\u0301',
  'Please, I need to speak to a person about my refund.',
];
const DAY_MS = 24 * 60 * 60 * 1000;
const VERY_LONG = 5_000;

/** Records of calls that no page expects: empty, of one turn, of 5,000, without times, in all scripts, full of markup. */
export function oddCalls(count: number, newest: number): Loose[] {
  return Array.from({ length: count }, (_, at) => {
    const length = at === 0 ? VERY_LONG : at % 11;
    const id = at % 50 === 7 ? `odd-${at}-${'<b>long</b>'.repeat(15)}` : `odd-${at}`;
    const record = { id, turns: Array.from({ length }, (_each, turn) => turnOf(at, turn)) };
    if (at % 13 === 5) return record;
    return { ...record, startedAt: new Date(newest - (at / count) * 30 * DAY_MS).toISOString(), version: 1 + (at % 3) };
  });
}

function turnOf(call: number, turn: number): Loose {
  const text = TEXTS[(call * 7 + turn) % TEXTS.length];
  const times = call % 4 === 3 ? {} : { startMs: turn * 4_000, endMs: turn * 4_000 + 2_500 };
  if (turn % 6 === 4) {
    const toolCall = { id: `t${turn}`, name: 'find_<i>parcel</i>', args: { text } };
    return { role: 'agent', text: '', ...times, toolCall };
  }
  if (turn % 6 === 5) {
    const toolResult = { id: `t${turn - 1}`, name: 'find_<i>parcel</i>', ok: call % 2 === 0, body: { text } };
    return { role: 'tool', ...times, toolResult };
  }
  return { role: turn % 2 === 0 ? 'agent' : 'caller', text, ...times };
}
