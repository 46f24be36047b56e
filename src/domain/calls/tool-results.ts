import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { cutWords } from '../text.ts';
import { REFUSAL_PHRASES } from '../words/en/refusals.ts';
import { plainLetters } from '../words/folding.ts';
import { lookUp } from '../words/lexicon.ts';
import { compilePhrases, type PhraseMatcher } from '../words/phrase-list.ts';
import { refusalsOf } from '../words/phrases.ts';
import * as table from '../words/tools/results.ts';
import { BROKEN, FOUND_COUNTS, FOUND_LISTS, SPEAKING } from '../words/tools/results.ts';
import { languageOfTurn } from './language.ts';
import type { ToolEffect } from './tool-effects.ts';
import { plainKey, unwrap } from './tool-envelopes.ts';
import { meaningByRules, type ToolResultRule } from './tool-result-rules.ts';

/** What the body of a tool's answer says about itself. */
export interface ToolBodyVerdict {
  /** False: the tool did not work. True: it worked, a refusal included. Null: the body says neither. */
  ok: boolean | null;
  /** The body's own error code, or `timeout`. */
  errorType: string | null;
  httpStatus: number | null;
  /** The tool worked and the business said no: nothing free, not found, could not verify. Never together with `ok: false`. */
  refusal: boolean;
  message: string | null;
  /** A person, or the tool's definition, says so: its words are not read beside that. */
  isTaught?: true;
}

/** What is known of the tool that answered. */
export interface AnsweringTool {
  name: string;
  /** A look-up answers with data, among which errors and states of others may be; a deed has to say that it was done. */
  effect: ToolEffect;
  rules: readonly ToolResultRule[];
}

const ANY_TOOL: AnsweringTool = { name: '', effect: 'unknown', rules: [] };
const UNDECIDED: ToolBodyVerdict = { ok: null, errorType: null, httpStatus: null, refusal: false, message: null };
const TIMEOUT_TEXT = /\b(?:time-?out|timed out|etimedout|deadline exceeded|econnaborted)\b/i;
const STATUS_IN_TEXT = /\b(?:status|code|http|error)[^0-9]{0,12}([45]\d\d)\b/i;
/** "503 Service Unavailable": a status line, and no business that says no. */
const SERVER_STATUS = /^5\d\d\s+\p{L}/u;
const STATUS_DIGITS = 3;
const READ_AT_MOST = 400;
const ELEMENTS_READ = 50;
const DEEPEST = 8;

const refusalPhrases = compilePhrases({ refusal: REFUSAL_PHRASES });
/** A business may answer in its own language whatever the caller speaks. */
const OTHER_REFUSALS: readonly PhraseMatcher[] = ['de', 'es', 'fr'].flatMap((language) => refusalsOf(language) ?? []);

/**
 * The one place that reads from a tool's answer whether it worked. What was taught of the tool comes first. Marks of a fault
 * (an error status, an HTTP status of 400 or more, prose that begins with "Error") make it failed; `success: false` or
 * a filled `error` is a refusal where its own words say that the business said no. They count at any depth, but not
 * among the records of a list that was found. An answer without a mark worked where it holds data; words alone have to say so.
 */
export function judgeToolBody(body: Json, tool: AnsweringTool = ANY_TOOL): ToolBodyVerdict {
  const value = unwrap(body);
  const taught = meaningByRules(value, tool.name, tool.rules);
  if (taught !== null) return verdictOf(taught.means, taught.by, value);
  return judge(value, tool, ROOT, 0);
}

function verdictOf(means: ToolResultRule['means'], by: string, value: Json): ToolBodyVerdict {
  const message = (isJsonObject(value) ? findText(value, table.MESSAGES) : null) ?? by;
  if (means === 'failed') return { ...fault(message, null, null), isTaught: true };
  return { ...UNDECIDED, isTaught: true, ok: means === 'unknown' ? null : true, refusal: means === 'refused', message };
}

/** Where a value stands: what counts as a mark of the answer, and what as a fact of a record in it. */
interface Place {
  /** In the answer itself, or in something that it tells of. */
  inRecord: boolean;
  /** An answer around it says that all went well. */
  succeeded: boolean;
}

const ROOT: Place = { inRecord: false, succeeded: false };

function judge(value: Json, tool: AnsweringTool, place: Place, depth: number): ToolBodyVerdict {
  if (value === null || depth > DEEPEST) return UNDECIDED;
  if (typeof value === 'string') return judgeText(value, tool);
  if (Array.isArray(value)) return judgeList(value, tool, place, depth);
  if (isJsonObject(value)) return judgeObject(value, tool, place, depth);
  if (value === false && tool.effect === 'write') return fault(null, null, null);
  if (value === false) return { ...UNDECIDED, ok: true, refusal: true };
  return { ...UNDECIDED, ok: value === true || tool.effect !== 'write' ? true : null };
}

function judgeText(text: string, { effect }: AnsweringTool): ToolBodyVerdict {
  const head = text.trim().slice(0, READ_AT_MOST);
  // Some tools answer with nothing when all is well, so an empty text proves neither.
  if (head === '' || table.REMOVED_PROSE.test(head)) return UNDECIDED;
  const told = judgeProse(head);
  if (told !== null) return told;
  if (table.DONE_PROSE.test(plainLetters(head)) || CODE_IN_TEXT.test(head))
    return { ...UNDECIDED, ok: true, message: head };
  if (effect === 'write') return { ...UNDECIDED, message: head };
  return { ...UNDECIDED, ok: isReadable(head) ? true : null, message: head };
}

/** `BK-1042`, `A17`: what was made has a number. */
const CODE_IN_TEXT = /\b[A-Z]{1,8}[-_]?\d{2,}\b/;
const WORDS_OF_A_SENTENCE = 4;

/** Data, a few words, or a sentence in a language whose refusals are known. */
function isReadable(text: string): boolean {
  const { words } = cutWords(text);
  return words.length < WORDS_OF_A_SENTENCE || /\d/.test(text) || languageOfTurn(lookUp(words)) !== null;
}

/** What prose says of itself; null where it speaks of neither a fault nor a no. */
function judgeProse(head: string): ToolBodyVerdict | null {
  if (table.BROKEN_PROSE.test(head)) return fault(head, null, null);
  if (table.FAILED_PROSE.some((begins) => begins.test(head))) {
    const isNo = !BROKEN.test(head) && !TIMEOUT_TEXT.test(head) && (table.NOT_FOUND_PROSE.test(head) || saysNo(head));
    return isNo ? { ...UNDECIDED, ok: true, refusal: true, message: head } : fault(head, null, null);
  }
  return saysNo(head) ? { ...UNDECIDED, ok: true, refusal: true, message: head } : null;
}

/** A batch whose every part failed has failed; a list of records is what was asked for. */
function judgeList(list: readonly Json[], tool: AnsweringTool, place: Place, depth: number): ToolBodyVerdict {
  if (list.length === 0) return tool.effect === 'write' ? UNDECIDED : { ...UNDECIDED, ok: true, refusal: true };
  if (place.succeeded) return { ...UNDECIDED, ok: true };
  const verdicts = list.slice(0, ELEMENTS_READ).map((one) => judgeElement(one, tool, depth));
  const [first = UNDECIDED] = verdicts;
  if (verdicts.every(({ ok }) => ok === false)) return first;
  if (verdicts.every(({ ok, refusal }) => ok === false || refusal)) return verdicts.find((one) => one.refusal) ?? first;
  return { ...UNDECIDED, ok: verdicts.some(({ ok }) => ok === true) ? true : null };
}

function judgeElement(one: Json, tool: AnsweringTool, depth: number): ToolBodyVerdict {
  if (!isJsonObject(one)) return judge(one, tool, ROOT, depth + 1);
  return judgeObject(one, tool, { inRecord: hasData(one), succeeded: false }, depth + 1);
}

function judgeObject(body: JsonObject, tool: AnsweringTool, place: Place, depth: number): ToolBodyVerdict {
  const own = judgeMarks(body, tool, place);
  if (own !== null) return own;
  const succeeded = place.succeeded || saysDone(body, tool);
  let refused: ToolBodyVerdict | null = null;
  let inside: boolean | null = null;
  for (const key in body) {
    const child = body[key] ?? null;
    const isEnvelope = table.ENVELOPES.has(plainKey(key));
    if (!isEnvelope && !isJsonObject(child)) continue;
    if (isEnvelope && Array.isArray(child) && child.length === 0) continue;
    const inner = judge(child, tool, { inRecord: place.inRecord || !isEnvelope, succeeded }, depth + 1);
    if (inner.ok === false && !(succeeded && typeof child === 'string'))
      return { ...inner, message: inner.message ?? findText(body, table.MESSAGES) };
    if (inner.refusal && isEnvelope && !place.inRecord) refused ??= inner;
    if (isEnvelope) inside ??= inner.ok;
  }
  // Whether a record that an answer holds is free, open or refused is what was asked.
  if (place.inRecord) return { ...UNDECIDED, ok: holdsSomething(body) ? true : null };
  if (refused !== null && !(succeeded && typeof refused.message === 'string' && depth > 0)) return refused;
  const isNo = denies(body) || foundNothing(body) || speaksRefusal(body) || hasStatus(body, table.REFUSED_STATUSES);
  if (isNo || (tool.effect !== 'write' && !succeeded && isEmpty(body)))
    return { ...UNDECIDED, ok: true, refusal: true, message: findText(body, table.MESSAGES) };
  const message = findText(body, table.MESSAGES);
  if (succeeded || holdsSomething(body)) return { ...UNDECIDED, ok: true, message };
  const words = message ?? statusOf(body);
  const told = words === null ? UNDECIDED : judgeText(words, tool);
  return told.ok === false && told.message !== null ? told : { ...UNDECIDED, ok: inside ?? told.ok, message };
}

/** What the fields of one layer say: a fault, a refusal in an error's clothes, or null. */
function judgeMarks(layer: JsonObject, tool: AnsweringTool, { inRecord }: Place): ToolBodyVerdict | null {
  const data = hasData(layer);
  // What a look-up found may have failed or be in error itself.
  const ofRecord = data && tool.effect === 'read';
  const httpStatus = inRecord ? null : findHttpStatus(layer, data);
  if (
    httpStatus !== null ||
    hasFlag(layer, table.FAILED, table.YES_VALUES) ||
    (!(inRecord && ofRecord) && hasStatus(layer, table.FAULT_STATUSES))
  )
    return fault(findText(layer, table.MESSAGES), findText(layer, table.ERROR_CODES), httpStatus);
  const isSoft =
    hasFlag(layer, table.WORKED, table.NO_VALUES) ||
    (!ofRecord && hasStatus(layer, table.FAILED_STATUSES)) ||
    (!(inRecord && ofRecord) && hasError(layer));
  if (!isSoft) return null;
  const message = findText(layer, table.MESSAGES);
  const code = findText(layer, table.ERROR_CODES);
  if (message !== null && (BROKEN.test(message) || TIMEOUT_TEXT.test(message))) return fault(message, code, null);
  if (code !== null && SERVER_STATUS.test(code) && !(message !== null && saysNo(message)))
    return fault(message, code, Number(code.slice(0, STATUS_DIGITS)));
  const isNo = (message !== null && saysNo(message)) || (code !== null && saysNo(code));
  // A look-up that says no has answered; a deed that is marked as failed was not done, whatever the reason.
  if (isNo ? inRecord || tool.effect !== 'write' : denies(layer)) {
    return { ok: true, errorType: code, httpStatus: null, refusal: true, message };
  }
  return fault(message, code, null);
}

function saysDone(layer: JsonObject, tool: AnsweringTool): boolean {
  if (hasFlag(layer, table.WORKED, table.YES_VALUES)) return true;
  if (tool.effect === 'read') return false;
  return (
    hasStatus(layer, table.DONE_STATUSES) ||
    table.ANSWERED_STATUSES.some((status) => layer['status'] === status || layer['statusCode'] === status)
  );
}

function fault(message: string | null, code: string | null, status: number | null): ToolBodyVerdict {
  const text = message ?? '';
  const inText = status === null ? STATUS_IN_TEXT.exec(text)?.[1] : undefined;
  const httpStatus = status ?? (inText === undefined ? null : Number(inText));
  const errorType = TIMEOUT_TEXT.test(text) || httpStatus === 504 ? 'timeout' : code;
  return { ok: false, errorType, httpStatus, refusal: false, message };
}

/** A field of the answer's own with one of the values; numbers and texts say yes and no too. */
function hasFlag(layer: JsonObject, keys: ReadonlySet<string>, values: ReadonlySet<string>): boolean {
  for (const key in layer) {
    const value = layer[key];
    if (value === null || typeof value === 'object' || !keys.has(plainKey(key))) continue;
    if (values.has(String(value).toLowerCase())) return true;
  }
  return false;
}

function hasStatus(layer: JsonObject, values: ReadonlySet<string>): boolean {
  for (const key in layer) {
    const value = layer[key];
    if (
      typeof value === 'string' &&
      table.STATUSES.has(plainKey(key)) &&
      values.has(plainLetters(value.trim().toLowerCase()))
    )
      return true;
  }
  return false;
}

/** "not_saved" as words. */
function statusOf(layer: JsonObject): string | null {
  const key = Object.keys(layer).find((name) => table.STATUSES.has(plainKey(name)) && typeof layer[name] === 'string');
  return key === undefined ? null : String(layer[key]).replaceAll(/[_-]/g, ' ');
}

function hasError(layer: JsonObject): boolean {
  for (const key in layer) if (table.ERRORS.has(plainKey(key)) && isFilled(layer[key])) return true;
  return false;
}

function isFilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return !table.NO_ERROR.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : true;
}

function findHttpStatus(layer: JsonObject, data: boolean): number | null {
  for (const key in layer) {
    const value = layer[key];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 400 || value > 599) continue;
    const plain = plainKey(key);
    if (table.HTTP_STATUSES.has(plain) && !(plain === 'code' && data)) return value;
  }
  return null;
}

/** Something beside what an answer says of itself: what it holds of a record, or at least the name of one. */
const holdsSomething = (layer: JsonObject) => hasData(layer, OF_ANY_ANSWER);

function hasData(layer: JsonObject, besides = OF_THE_ANSWER): boolean {
  for (const key in layer) {
    const value = layer[key];
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const plain = plainKey(key);
    if (besides.some((keys) => keys.has(plain))) continue;
    return true;
  }
  return false;
}

const OF_ANY_ANSWER = [
  table.ENVELOPES,
  table.WORKED,
  table.FAILED,
  table.ERRORS,
  table.STATUSES,
  table.MESSAGES,
  table.ABOUT_ANSWER,
];
const OF_THE_ANSWER = [...OF_ANY_ANSWER, table.HTTP_STATUSES, table.ERROR_CODES, table.ABOUT_RECORD];

function findText(layer: JsonObject, keys: ReadonlySet<string>): string | null {
  const names = Object.keys(layer);
  for (const wanted of keys) {
    const key = names.find((name) => plainKey(name) === wanted);
    const value = key === undefined ? undefined : layer[key];
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, READ_AT_MOST);
    if (isJsonObject(value ?? null) && typeof (value as JsonObject)['message'] === 'string')
      return String((value as JsonObject)['message']).slice(0, READ_AT_MOST);
    if (!Array.isArray(value)) continue;
    const [first] = value;
    if (typeof first === 'string') return first.slice(0, READ_AT_MOST);
    if (isJsonObject(first ?? null) && typeof (first as JsonObject)['message'] === 'string')
      return String((first as JsonObject)['message']).slice(0, READ_AT_MOST);
  }
  return null;
}

function denies(layer: JsonObject): boolean {
  for (const key in layer) if (layer[key] === false && table.DENIALS.test(key)) return true;
  return false;
}

/** Nothing but lists without an entry. */
function isEmpty(layer: JsonObject): boolean {
  const values = Object.values(layer);
  return (
    values.some(Array.isArray) &&
    values.every((value) => value === null || (Array.isArray(value) && value.length === 0))
  );
}

function foundNothing(layer: JsonObject): boolean {
  let empty = false;
  for (const key in layer) {
    const value = layer[key];
    if (Array.isArray(value)) {
      if (value.length > 0) return false;
      empty ||= FOUND_LISTS.test(key);
    } else if (value === null) {
      empty ||= FOUND_LISTS.test(key);
    } else if (value === 0 && FOUND_COUNTS.test(key)) {
      empty = true;
    } else if (isJsonObject(value) && FOUND_LISTS.test(key)) {
      return false;
    }
  }
  return empty;
}

function speaksRefusal(layer: JsonObject): boolean {
  for (const key in layer) {
    const value = layer[key];
    if (typeof value === 'string' && value.length <= READ_AT_MOST && SPEAKING.test(key) && saysNo(value)) return true;
  }
  return false;
}

/** True where a result that is marked as an error only says in words that the business turned it down, and nothing in it speaks of a fault. */
export function isBusinessAnswer(verdict: ToolBodyVerdict): boolean {
  const { message, errorType, httpStatus } = verdict;
  if (httpStatus !== null || errorType === 'timeout') return false;
  const texts = [message, errorType].filter((text) => text !== null);
  if (
    texts.some((text) => TIMEOUT_TEXT.test(text) || BROKEN.test(text.replace(/^\W*error\W*/i, '').replaceAll('_', ' ')))
  )
    return false;
  return texts.some((text) => saysNo(text));
}

/** True where words or a code such as `no_availability` say that the business turned the request down. */
export function saysNo(text: string): boolean {
  const { words } = cutWords(text.replace(/[_-]/g, ' '));
  return refusalPhrases(words).length > 0 || OTHER_REFUSALS.some((phrases) => phrases(words).length > 0);
}
