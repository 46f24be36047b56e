import { type AnsweredByValue, type Direction, OUTCOMES, type Outcome } from '../vocabulary.ts';
import { isTime, takeAmount } from './amounts.ts';
import type { Sentence, Taken } from './grammar.ts';
import type { CallFilter, WatchScope } from './watch.ts';

type Base = Omit<WatchScope, 'calls'> & WatchScope;

/**
 * Takes what a sentence says of the calls that it is about; null where it says nothing of them.
 * @param isField the words are an answer to "on which calls", so that no "if" has to begin them.
 */
export function takeScope(sentence: Sentence, isField: boolean): WatchScope | null {
  // "Only once" counts.
  const heads = sentence.has('only|just|most|least|exactly|more once') ? HEAD.replace('once|', '') : HEAD;
  const base = takeBase(sentence, isField ? `${heads}?` : heads);
  const calls = takeFilter(sentence, isField);
  if (base === null && calls === null) return null;
  return { ...(base ?? { kind: 'all_calls' }), ...(calls && { calls }) };
}

const HEAD = 'if|when|whenever|where|once|after|case|soon|which';
const FOLLOWS = ['after', 'once', 'soon'];
const following = ({ words }: Taken) =>
  words.some((word) => FOLLOWS.includes(word)) ? { following: true as const } : {};

const WANTS = 'ask|request|want|insist|demand|wish|prefer';
const PERSON =
  'person|human|representative|rep|someone|somebody|manager|colleague|staff|operator|supervisor|advisor|employee|receptionist|dispatcher';

function takeBase(sentence: Sentence, head: string): Base | null {
  const asksFor = sentence.take(
    `${head} ${WANTS} speak|talk|speaking|talking|transferred|connected? real|live|actual|human? ${PERSON}`,
    `${head} ${WANTS} speak|talk? for|to|with|human|live|real agent`,
  );
  if (asksFor) return { kind: 'caller_said', act: 'asks_for_person' };
  const failed = sentence.take(
    `${head} call|use|using? <tool> fail|failed|failing|error|down|unavailable`,
    `${head} call|use|using? <tool> time|timed out`,
    `${head} <tool> not|doesn't|didn't work|working`,
    `${head} <tool> return|give|gives|gave error`,
    `${head} failed|failing|failure <tool>`,
  );
  const [broken] = failed?.tools ?? [];
  if (broken) return { kind: 'tool_failed', tool: broken.name };
  const done = takeDone(sentence, head);
  const [called] = done?.tools ?? [];
  if (done && called) return { kind: 'tool_called', tool: called.name, ...following(done) };
  const said = sentence.take(`${head} say|says|said|mention <quote>`);
  if (said) return { kind: 'caller_said', text: said.quotes[0] ?? '' };
  const step = sentence.take(
    `${head} reach|come|came|get|gets|got|go|goes|enter step? <step> step?`,
    'at|in step <step>',
  );
  if (step) return { kind: 'step_reached', step: step.names[0] ?? '', ...following(step) };
  const outcome = takeOutcome(sentence, `${head} `);
  if (outcome) return { kind: 'outcome', outcome };
  const about = sentence.take(`${head} ask|asking|want about? <intent>`, 'about <intent>', 'intent <intent>');
  return about && { kind: 'intent', intent: about.names[0] ?? '' };
}

/** "Once a slot is booked", "after booking", "calls on which book_slot was called": what the tool does is done, not wanted. */
function takeDone(sentence: Sentence, head: string): Taken | null {
  const follows = head
    .replace('?', '')
    .split('|')
    .filter((word) => FOLLOWS.includes(word))
    .join('|');
  const was = 'is|are|was|were|been|has|have called|used|run|done';
  const named = sentence.take(
    `${follows} <tool> ${was}`,
    `${follows} call|use|using? <tool>`,
    `${head} <named> ${was}`,
    `${head} call|use|using <named> ${was}`,
    `${head} call|use|using <named>`,
  );
  if (named) return named;
  const passive = `${head} <tool>`;
  const isDone = sentence.peek(passive)?.words.some((word) => IS_DONE.includes(word));
  return isDone ? sentence.take(passive) : null;
}

const IS_DONE = ['is', 'are', 'was', 'were', 'been', 'has', 'have'];

export function takeOutcome(sentence: Sentence, head = ''): Outcome | null {
  const isIt = (outcome: Outcome) => {
    const name = outcome.replace('_', ' ');
    return sentence.take(
      ...[name, outcome].flatMap((word) => [`${head}end|ended|ending ${word}`, `${head}outcome ${word}`]),
    );
  };
  return OUTCOMES.find((outcome) => isIt(outcome) !== null) ?? null;
}

function takeFilter(sentence: Sentence, isField: boolean): CallFilter | null {
  const filter = {
    ...takeDirection(sentence, isField),
    ...takeLanguage(sentence, isField),
    ...takeVersions(sentence),
    ...takeLength(sentence, isField),
    ...takeAnswered(sentence, isField),
    ...takeVariable(sentence),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

const DIRECTIONS: readonly (readonly [Direction, string])[] = [
  ['inbound', 'inbound|incoming'],
  ['outbound', 'outbound|outgoing'],
  ['web', 'web|website'],
];

function takeDirection(sentence: Sentence, isField: boolean): CallFilter {
  const found = DIRECTIONS.find(([, words]) => sentence.take(`${words} call${isField ? '?' : ''}`));
  return found ? { direction: found[0] } : {};
}

const LANGUAGES: Record<string, string> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  turkish: 'tr',
  russian: 'ru',
  ukrainian: 'uk',
  arabic: 'ar',
  hebrew: 'he',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
  swedish: 'sv',
  danish: 'da',
  norwegian: 'no',
  finnish: 'fi',
  czech: 'cs',
  greek: 'el',
  romanian: 'ro',
  hungarian: 'hu',
  vietnamese: 'vi',
  thai: 'th',
  indonesian: 'id',
};
const LANGUAGE = Object.keys(LANGUAGES).join('|');

function takeLanguage(sentence: Sentence, isField: boolean): CallFilter {
  const found = sentence.take(
    `${LANGUAGE} speaking? call|caller|customer|patient|guest|conversation|client|passenger`,
    `${HEAD} speak|spoken ${LANGUAGE}`,
    ...(isField ? [`speak|spoken? in? ${LANGUAGE}`] : []),
  );
  const language = found?.words.flatMap((word) => LANGUAGES[word] ?? [])[0];
  return language === undefined ? {} : { language };
}

function takeVersions(sentence: Sentence): CallFilter {
  const found = sentence.take(
    'since|from|after|before|until|up|starting? version # later|newer|onwards|onward|earlier|older?',
  );
  const [version] = found?.numbers ?? [];
  if (found === null || version === undefined) return {};
  const says = (...words: string[]) => found.words.some((word) => words.includes(word));
  if (says('after')) return { fromVersion: version + 1 };
  if (says('before')) return { toVersion: version - 1 };
  if (says('since', 'from', 'starting', 'later', 'newer', 'onwards', 'onward')) return { fromVersion: version };
  if (says('until', 'up', 'earlier', 'older')) return { toVersion: version };
  return { fromVersion: version, toVersion: version };
}

function takeLength(sentence: Sentence, isField: boolean): CallFilter {
  const amount = takeAmount(
    sentence,
    isField ? 'call|calls? last|lasting|take|run?' : 'on|in|for|during call last|lasting|take?',
    isTime,
  );
  if (amount === null) return {};
  return amount.how === 'more' || amount.how === 'least'
    ? { longerThanS: amount.value }
    : { shorterThanS: amount.value };
}

const ANSWERERS: readonly (readonly [AnsweredByValue, string])[] = [
  ['voicemail', 'voicemail|mailbox|answering machine?'],
  ['voicemail', 'machine'],
  ['phone_menu', 'phone? menu'],
  ['screening', 'screening|screener'],
  ['agent', 'voice agent'],
  ['person', 'person|human'],
  ['nobody', 'nobody'],
];

function takeAnswered(sentence: Sentence, isField: boolean): CallFilter {
  const head = isField ? `${HEAD}?` : HEAD;
  const found = ANSWERERS.find(([, words]) =>
    sentence.take(
      `call answered|reach|reached by? ${words}`,
      `${head} answered|reach|reached by? ${words}`,
      `${head} ${words} answers|answered|pick up?`,
    ),
  );
  return found ? { answeredBy: found[0] } : {};
}

function takeVariable(sentence: Sentence): CallFilter {
  const found = sentence.take(
    'variable|metadata|field <word> equal|equals? <quote>',
    'variable|metadata|field <word> equal|equals? <word>',
  );
  const [name, word] = found?.names ?? [];
  const value = found?.quotes[0] ?? word;
  return name === undefined || value === undefined ? {} : { variables: { [name]: value } };
}
