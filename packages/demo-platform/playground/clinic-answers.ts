import { ANY_SERVICE, feeOf, serviceOf, wishOf } from './clinic-wishes.ts';
import { wait } from './clinic-words.ts';
import type { Talk } from './talk.ts';

const STEPS = { policy: 'node_policy', fees: 'node_fees', info: 'node_info' } as const;

/** A question that can be answered without the file of a patient. */
export function looksLikeQuestion(said: string): boolean {
  const wish = wishOf(said);
  const asks = said.includes('?') || /^\W*(how|what|when|where|do you|is there|are you|can i park)\b/i.test(said);
  return asks && wish !== null && wish in STEPS;
}

/** Answers it; in the middle of something else the open question is asked once more. */
export function answerQuestion(talk: Talk, said: string, asked: string): void {
  const wish = wishOf(said);
  const kind = wish === 'policy' || wish === 'fees' ? wish : 'info';
  const answer = { policy: POLICY, fees: fees(talk, said), info: info(talk, said) }[kind];
  if (asked !== 'more') return wait(talk, asked, `${answer} ${talk.recall('question') ?? ''}`.trim());
  talk.goTo(STEPS[kind]);
  wait(talk, 'more', `${answer} Is there anything else you would like to know?`);
}

const POLICY =
  'You can cancel free of charge up to 24 hours before a visit. Later than that, or if you do not come, we charge 40 dollars.';

function fees(talk: Talk, said: string): string {
  const service = serviceOf(said) ?? talk.recall('service') ?? ANY_SERVICE;
  const fee = `For ${service} we charge ${feeOf(service)} dollars, depending on what we find.`;
  return /\binsur|\bcopay|\bplan\b/i.test(said)
    ? `We take most insurance plans; they cover about half of it. ${fee}`
    : fee;
}

/** A note on parking that no variable fills is read out as it stands in the flow. */
function info(talk: Talk, said: string): string {
  const knowsParking = talk.version < 3 || talk.traits.has('parking known');
  const parts = [
    /\bpark/i.test(said) &&
      (knowsParking ? 'You can park behind the building, free of charge.' : 'For parking: {{parking_note}}.'),
    /\b(address|where|located|directions|get (to|there))\b/i.test(said) &&
      'We are at 48 Maple Court, next to the library.',
    /\b(hours|open|close|opened|closed|saturdays?)\b/i.test(said) &&
      'We are open from 8:00 to 17:30, and on Saturdays until 13:00.',
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(' ') : 'We are open from 8:00 to 17:30, at 48 Maple Court.';
}
