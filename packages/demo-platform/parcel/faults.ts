import { soundsGood, yes } from '../common-phrases.ts';
import type { Patterns, Script } from '../script.ts';
import * as act from './acts.ts';
import { claimArgs, redirect } from './healthy.ts';
import * as say from './phrases.ts';

/** Calls in which something is broken, each in the words and payloads that a real platform would show. */

const couldNot: Patterns = [
  "[I'm sorry|Hm], [that didn't work|the system won't take it]. [I can't change the day right now|The change was not accepted]. [Would you try it on our website|Could you try later]?",
];

/** The agent sends the day as it was said, and the service wants a date. */
export function dayNotUnderstood(call: Script): void {
  act.open(call, say.wantOtherDay);
  act.takeNumber(call);
  act.track(call);
  call.agent(['[I see it|Found it]. [So|You want] {weekday}[, right|, yes]?']);
  call.caller(yes);
  call.tool(
    'change_delivery_day',
    { ...act.trackArgs(call), date: `next ${call.slots.weekday ?? 'Monday'}` },
    { status: 422, error: 'validation_failed', message: 'date must match YYYY-MM-DD' },
    { successful: false },
  );
  call.agent(couldNot);
  call.caller([
    "[Hm|Oh], [okay|that's a shame]. [Bye|I will look at the website].",
    "[Great|Wonderful], [then I'm not home|so much for that]. [Bye|Goodbye].",
  ]);
  call.end('user_hangup', { summary: 'The day could not be changed.', successful: false, sentiment: 'Negative' });
}

const nothingKnown: Patterns = [
  "[I'm sorry|Sorry], I [can't see|don't get] [the parcel|anything] [right now|at the moment]. [Please try again in an hour|Could you call again later]?",
];

/** The look-up fails and says nothing of why. */
export function trackingFails(call: Script): void {
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  call.agent(say.looking);
  call.tool('track_parcel', act.trackArgs(call), { success: false }, { successful: true });
  call.agent(nothingKnown);
  call.caller([
    "[Okay|Alright], [I'll try later|I will call again]. [Bye|Thanks].",
    "[Hm|Well], [that's no use|pity]. [Bye|Goodbye].",
  ]);
  call.end('user_hangup', { summary: 'The parcel could not be looked up.', successful: false, sentiment: 'Negative' });
}

/** The redirection takes very long, and the line is silent. */
export function silentRedirect(call: Script): void {
  act.open(call, say.wantPickup);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.askPickup);
  call.caller(yes);
  redirect(call, call.random.between(8.5, 12.5));
  call.agent(say.pickupSet, { gap: call.random.between(0.4, 0.8) });
  call.caller(call.random.chance(0.4) ? ['[Oh|Ah], [there you are|you are still there]. [Good|Okay].'] : soundsGood);
  act.close(call, { summary: 'The parcel was redirected.', successful: true, sentiment: 'Neutral' });
}

const noteClaimed: Patterns = [
  "[Sure|Of course]. I've added [that|a note] [to your delivery|for the driver].",
  "[Done|Okay], I've added [the note|it as a note], [the driver will see it|so that is settled].",
  '[No problem|Got it]. Your [delivery note|note for the driver] has been added.',
];

/** No tool exists for notes to the driver; the agent says that it is done all the same. */
export function noteWithoutTool(call: Script): void {
  act.open(call, say.wantNote);
  act.takeNumber(call);
  call.agent(noteClaimed);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller left a note for the driver.', successful: true, sentiment: 'Positive' });
}

/** The same claim is opened twice in one call. */
export function claimedTwice(call: Script): void {
  act.open(call, say.wantClaim);
  call.agent([
    "[Oh no|I'm sorry to hear that]. [What was in it|What is damaged], and [which number is on the label|what is the tracking number]?",
  ]);
  call.caller(['{goods}. [The number is|It says] {spokenNumber}.']);
  call.agent(['[Thank you|Okay], [let me file that|I am opening a claim].']);
  call.tool('open_claim', claimArgs(call), { status: 'opened', claim_id: call.slots.claimId ?? '' });
  call.agent(['[One more moment|Just a second], [saving it|almost there].']);
  const second = `CL-${call.random.whole(10_000, 99_999)}`;
  call.tool('open_claim', claimArgs(call), { status: 'opened', claim_id: second });
  call.slots.claimId = second;
  call.agent(say.claimFiled);
  call.caller(soundsGood);
  act.close(call, { summary: 'A claim was opened.', successful: true, sentiment: 'Neutral' });
}

const cashQuestion: Patterns = [
  '[Which card|What card] [did I pay with|is on my account]? [I need to know for my refund|I have several].',
  '[Can|Could] you [tell me|read me] the card [the refund goes to|you have on file]?',
];

/** The agent reads a whole card number out. */
export function cardReadOut(call: Script): void {
  const card = testCard(String(call.random.whole(100_000_000, 999_999_999)));
  call.slots.card = `${card.slice(0, 4)} ${card.slice(4, 8)} ${card.slice(8, 12)} ${card.slice(12)}`;
  act.open(call, cashQuestion);
  act.takeNumber(call);
  call.agent(say.looking);
  call.tool('get_account', act.trackArgs(call), { customer: call.person.full, card_number: card, refund: 'pending' });
  call.agent([
    '[It is|The refund goes to] the card {card}. [It takes|Please allow] [three|five] days.',
    '[We have|On file is] the card number {card}[, in the name of {full}|].',
  ]);
  call.caller(soundsGood);
  act.close(call, { summary: 'The caller asked for the card on file.', successful: true, sentiment: 'Neutral' });
}

/** Sixteen digits with a true check digit, from a range that no bank uses. */
function testCard(nine: string): string {
  const body = `400000${nine}`;
  let sum = 0;
  for (let at = 0; at < body.length; at += 1) {
    const digit = Number(body[at]);
    const doubled = at % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return body + String((10 - (sum % 10)) % 10);
}

const asksAgain: Patterns = [
  '[And|Okay, and] [what is your tracking number|may I have the tracking number]?',
  '[So|Right], [could you give me|I need] the tracking number[, please|].',
];
const alreadySaid: Patterns = [
  'I [already|just] [gave|told] you that. {spokenNumber}.',
  "You already [have|asked for] [it|that]. [It's|] {spokenNumber}, [as I said|like I said].",
];

/** The number is asked for a second time after the look-up had it. */
export function asksForNumberAgain(call: Script): void {
  act.open(call, say.wantOtherDay);
  act.takeNumber(call);
  act.track(call);
  call.agent(['[It is in|The parcel is in] {city}. [You wanted another day|So, another day], [correct|right]?']);
  call.caller(['[Yes|Yeah], {weekday}.', '[Right|Correct], {weekday} [please|].']);
  call.agent(asksAgain);
  call.caller(alreadySaid);
  call.tool(
    'change_delivery_day',
    { ...act.trackArgs(call), date: call.slots.isoDay ?? '' },
    { status: 'changed', delivery_date: call.slots.isoDay ?? '' },
  );
  call.agent(say.dayChanged);
  call.caller(soundsGood);
  act.close(call, { summary: 'The delivery day was changed.', successful: true, sentiment: 'Neutral' });
}

/** The platform loses the speech recogniser in the middle of the call. */
export function recogniserLost(call: Script): void {
  act.open(call, call.random.pick([say.wantTrack, say.wantOtherDay, say.wantClaim]));
  act.takeNumber(call);
  if (call.random.chance(0.6)) act.track(call);
  call.end('error_asr', { status: 'error' });
}

const spanishWish: Patterns = [
  'Hola, [quiero saber|necesito saber|me gustaría saber] dónde está mi paquete, por favor.',
  'Buenos días, [estoy esperando|todavía no llega] un paquete [desde el lunes|de mi hermana] y [no sé cuándo viene|nadie me dice nada].',
];
const spanishAgain: Patterns = [
  '[No hablo inglés|No entiendo bien el inglés]. ¿[Puede hablar|Me puede ayudar] en español, por favor?',
  '[Perdón|Disculpe], ¿hay alguien que [hable|me ayude en] español? El paquete [no ha llegado|está perdido].',
];
const spanishLast: Patterns = [
  '[No entiendo|No le entiendo nada]. [Gracias de todos modos|Voy a llamar otro día], adiós.',
  'Bueno, [entonces llamo más tarde|no me puede ayudar]. Adiós.',
];

/** Callers who speak Spanish are answered in English all the way. */
export function answeredInEnglish(call: Script): void {
  act.open(call, spanishWish);
  call.agent(say.askNumber);
  call.caller(spanishAgain, { verbatim: true });
  call.agent([
    '[I can look that up|Happy to check]. [Please read me|Could you tell me] the tracking number from your notice.',
  ]);
  call.caller(spanishLast, { verbatim: true });
  call.end('user_hangup', { summary: 'The caller spoke Spanish.', successful: false, sentiment: 'Negative' });
}

/** The agent hangs up while the caller is still asking. */
export function cutOff(call: Script): void {
  act.open(call, say.wantTrack);
  act.takeNumber(call);
  act.track(call);
  call.agent(say.whereItIs);
  call.caller(
    [
      '[Okay|Hm], and [can I change the address|what if I am not home|can a neighbour take it]?',
      '[But|And] [can I pick it up|could it come earlier] [instead|]?',
    ],
    { gap: 0.5 },
  );
  call.end('agent_hangup', { summary: 'The caller asked where a parcel is.', successful: true, sentiment: 'Negative' });
}
