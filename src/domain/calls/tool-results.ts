import { REFUSAL_PHRASES } from '../acts/lists/en/refusals.ts';
import { compilePhrases, type PhraseMatcher } from '../acts/lists/phrase-list.ts';
import { refusalsOf } from '../acts/lists/phrases.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { cutWords } from './text.ts';

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
}

const UNDECIDED: ToolBodyVerdict = { ok: null, errorType: null, httpStatus: null, refusal: false, message: null };
const NESTED = ['data', 'result', 'body', 'response', 'item', 'output'] as const;
const MESSAGES = [
  'message',
  'error_message',
  'errorMessage',
  'reason',
  'detail',
  'error',
  'msg',
  'description',
] as const;
const ERROR_CODES = ['error_type', 'errorType', 'error_code', 'errorCode', 'code', 'error'] as const;
const HTTP_KEYS = ['status', 'statusCode', 'status_code', 'httpStatus', 'http_status', 'code'] as const;
const FAULT_STATUS = new Set(['error', 'exception', 'timeout', 'timed_out', 'internal_error']);
const SOFT_STATUS = new Set(['failed', 'failure', 'fail', 'unsuccessful']);
/** Yes-or-no fields by which a business says no. */
const DENIALS =
  /^(is_?)?(available|availability|found|verified|authenticated|eligible|approved|matched|match|allowed|open|bookable|saved|booked|cancell?ed|sent|placed|applied|changed|updated|completed|accepted|confirmed|valid|scheduled|added)$/i;
/** Fields in which a tool answers in words. */
const SPEAKING = /(message|status|reason|detail|note|outcome|confirmation|result|response|answer|text|msg)$/i;
/** Lists of what was searched for: empty ones are an answer, and the answer is no. */
const FOUND_LISTS =
  /^(items?|results?|data|records?|matches|slots?|available_?slots?|availability|openings|options|times|available_?times|appointments?|flights?|rooms?|tables?|hits|entries|list|products?)$/i;
const FOUND_COUNTS = /^(total|count|total_?items|total_?results|num_?results|results_?count)$/i;
const NOT_AN_ERROR = new Set(['', 'none', 'null', 'no', 'false', 'n/a', 'ok', '0']);
const FAULT_TEXT =
  /^\W{0,5}(?:axios ?error|(?:internal (?:server )?|type|value|key|runtime|network|http|api|fetch|connection|timeout)? ?error\b|exception\b|traceback\b|failed\b|failure\b|timeout\b|timed out\b|request (?:failed|timed out)|no result returned|bad gateway|gateway time-?out|service unavailable|econn[a-z]{1,12}\b|http ?[45]\d\d\b)/i;
const TIMEOUT_TEXT = /\b(?:time-?out|timed out|etimedout|deadline exceeded|econnaborted)\b/i;
const STATUS_IN_TEXT = /\b(?:status|code|http|error)[^0-9]{0,12}([45]\d\d)\b/i;
/** "503 Service Unavailable": a status line, and no business that says no. */
const SERVER_STATUS = /^5\d\d\s+\p{L}/u;
const STATUS_DIGITS = 3;
const PARSED_AT_MOST = 1_000_000;
const READ_AT_MOST = 400;

const refusalPhrases = compilePhrases({ refusal: REFUSAL_PHRASES });
/** A business may answer in its own language whatever the caller speaks. */
const OTHER_REFUSALS: readonly PhraseMatcher[] = ['de', 'es', 'fr'].flatMap((language) => refusalsOf(language) ?? []);

/**
 * The general rule for a tool's answer where the platform gives no flag, or a flag that only says that something was
 * answered. Marks of a fault (an error status, an HTTP status of 400 or more, text that begins with "Error") always
 * make it failed; `success: false` or a filled `error` is a refusal where its own words say that the business said no.
 */
export function judgeToolBody(body: Json): ToolBodyVerdict {
  if (body === null) return UNDECIDED;
  if (typeof body === 'string') return judgeText(body);
  if (Array.isArray(body)) return { ...UNDECIDED, ok: true, refusal: body.length === 0 };
  if (!isJsonObject(body)) return { ...UNDECIDED, ok: body !== false, refusal: body === false };
  return judgeObject(body);
}

function judgeText(text: string): ToolBodyVerdict {
  const trimmed = text.trim();
  // Some tools answer with nothing when all is well, so an empty text proves neither.
  if (trimmed === '') return UNDECIDED;
  const parsed = parseJson(trimmed);
  if (parsed !== undefined) return judgeToolBody(parsed);
  const head = trimmed.slice(0, READ_AT_MOST);
  if (FAULT_TEXT.test(head)) return fault(head, null, null);
  return { ...UNDECIDED, ok: true, refusal: saysNo(head), message: head };
}

function parseJson(text: string): Json | undefined {
  const first = text.charCodeAt(0);
  if ((first !== 0x7b && first !== 0x5b) || text.length > PARSED_AT_MOST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function judgeObject(body: JsonObject): ToolBodyVerdict {
  const layers = [body, ...NESTED.map((key) => body[key]).filter(isJsonObject)];
  for (const layer of layers) {
    const httpStatus = findHttpStatus(layer);
    if (isFault(layer) || httpStatus !== null)
      return fault(findText(layer, MESSAGES), findText(layer, ERROR_CODES), httpStatus);
  }
  for (const layer of layers) {
    if (!isSoftFault(layer)) continue;
    const message = findText(layer, MESSAGES);
    const code = findText(layer, ERROR_CODES);
    if (message !== null && (BROKEN.test(message) || TIMEOUT_TEXT.test(message))) return fault(message, code, null);
    if (code !== null && SERVER_STATUS.test(code) && !(message !== null && saysNo(message)))
      return fault(message, code, Number(code.slice(0, STATUS_DIGITS)));
    if ((message !== null && saysNo(message)) || (code !== null && saysNo(code)) || denies(layer)) {
      return { ok: true, errorType: code, httpStatus: null, refusal: true, message };
    }
    return fault(message, code, null);
  }
  const message = findText(body, MESSAGES);
  for (const layer of layers) {
    if (denies(layer) || foundNothing(layer) || speaksRefusal(layer)) {
      return { ok: true, errorType: null, httpStatus: null, refusal: true, message: findText(layer, MESSAGES) };
    }
  }
  return { ...UNDECIDED, ok: true, message };
}

function fault(message: string | null, code: string | null, status: number | null): ToolBodyVerdict {
  const text = message ?? '';
  const inText = status === null ? STATUS_IN_TEXT.exec(text)?.[1] : undefined;
  const httpStatus = status ?? (inText === undefined ? null : Number(inText));
  const errorType = TIMEOUT_TEXT.test(text) || httpStatus === 504 ? 'timeout' : code;
  return { ok: false, errorType, httpStatus, refusal: false, message };
}

function isFault(layer: JsonObject): boolean {
  if (layer['is_error'] === true || layer['isError'] === true) return true;
  const status = layer['status'];
  return typeof status === 'string' && FAULT_STATUS.has(status.toLowerCase());
}

function isSoftFault(layer: JsonObject): boolean {
  if (isFalse(layer['success']) || isFalse(layer['ok']) || isFalse(layer['successful'])) return true;
  const status = layer['status'];
  if (typeof status === 'string' && SOFT_STATUS.has(status.toLowerCase())) return true;
  return isFilled(layer['error']) || isFilled(layer['errors']);
}

function isFalse(value: Json | undefined): boolean {
  return value === false || (typeof value === 'string' && value.toLowerCase() === 'false');
}

function isFilled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return !NOT_AN_ERROR.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : true;
}

function findHttpStatus(layer: JsonObject): number | null {
  for (const key of HTTP_KEYS) {
    const value = layer[key];
    if (typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599) return value;
  }
  return null;
}

function findText(layer: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = layer[key];
    if (typeof value === 'string' && value.trim() !== '') return value.slice(0, READ_AT_MOST);
    if (isJsonObject(value) && typeof value['message'] === 'string') return value['message'].slice(0, READ_AT_MOST);
    if (Array.isArray(value) && typeof value[0] === 'string') return value[0].slice(0, READ_AT_MOST);
  }
  return null;
}

function denies(layer: JsonObject): boolean {
  for (const key in layer) if (layer[key] === false && DENIALS.test(key)) return true;
  return false;
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

const BROKEN =
  /\b(?:econn\w*|enotfound|getaddrinfo|connect(?:ion|ed)?|network|socket|server|service|internal|exception|traceback|down for|database|gateway|token|credentials?|unauthorized|forbidden|null|undefined)\b/i;

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
