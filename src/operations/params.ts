import { z } from 'zod';
import { uuid } from '../contract/common.ts';
import { Failure } from './failure.ts';

/** A text of a request that is not what its parameter takes; the message goes to the caller. */
export class ParamProblem extends Error {
  override name = 'ParamProblem';
}

/**
 * Reads one part of a request. @param instead what else it may be, as the end of the sentence
 * @throws Failure `invalid_parameter` naming the part, where it is not what it has to be
 */
export function readNamed<Value>(name: string, read: () => Value, instead = ''): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ParamProblem)) throw error;
    throw new Failure('invalid_parameter', `${name} ${error.message}${instead}.`, { param: name });
  }
}

/**
 * One query parameter, as it is read from a request's texts and as it is documented. `schema` is the shape of the
 * value itself, which the OpenAPI document and typed clients use.
 */
export interface Param<T> {
  /** True for a filter that may be repeated or comma separated. */
  many: boolean;
  schema: z.ZodType;
  description: string;
  /** The value when the request does not name the parameter. */
  absent: T;
  /** Set on the paging parameter: its text is opened by the runner. */
  isCursor?: true;
  read(texts: string[]): T;
}

export type Params = Record<string, Param<unknown>>;
export type ParamValues<P extends Params> = { [K in keyof P]: P[K] extends Param<infer T> ? T : never };

const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,15})$/;

function readInteger(text: string, min: number, max: number): number {
  const value = PLAIN_DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new ParamProblem(`must be a whole number from ${min} to ${max}, in plain decimal digits`);
  }
  return value;
}

export function limitParam(max = 100, byDefault = 25): Param<number> {
  return {
    many: false,
    schema: z.int().min(1).max(max).default(byDefault),
    description: `How many items a page holds, 1 to ${max}.`,
    absent: byDefault,
    read: ([text = '']) => readInteger(text, 1, max),
  };
}

/** `position` is the shape of what the list seals into its cursors. */
export function cursorParam<Position extends z.ZodType>(position: Position): Param<z.infer<Position> | null> {
  return {
    many: false,
    schema: z.string().min(1),
    description: 'The `nextCursor` of the page before, with the same filters.',
    absent: null,
    isCursor: true,
    read: ([sealedPosition = '']) => {
      const opened = position.safeParse(JSON.parse(sealedPosition));
      if (!opened.success) throw new ParamProblem('is not a cursor of this list');
      return opened.data;
    },
  };
}

/** Of a list in the order of time: the time and the id of the last row. */
export const timeCursor = cursorParam(z.tuple([z.string(), z.guid()]));

export function integerParam(description: string, min = 0, max = 2_147_483_647): Param<number | null> {
  return {
    many: false,
    schema: z.int().min(min).max(max),
    description,
    absent: null,
    read: ([text = '']) => readInteger(text, min, max),
  };
}

export function booleanParam(description: string): Param<boolean> {
  return {
    many: false,
    schema: z.boolean().default(false),
    description,
    absent: false,
    read: ([text]) => {
      if (text === 'true') return true;
      if (text === 'false') return false;
      throw new ParamProblem('must be true or false');
    },
  };
}

export function choiceParam<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
): Param<Values[number] | null> {
  return {
    many: false,
    schema: z.enum(values),
    description,
    absent: null,
    read: ([text = '']) => readChoice(values, text),
  };
}

/** A value given twice counts once; an empty one is refused. */
export function choicesParam<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
): Param<Values[number][] | null> {
  return {
    many: true,
    schema: z.array(z.enum(values)).min(1),
    description,
    absent: null,
    read: (texts) => [...new Set(texts.flatMap((text) => text.split(',')).map((text) => readChoice(values, text)))],
  };
}

function readChoice<Values extends readonly string[]>(values: Values, text: string): Values[number] {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new ParamProblem(`must be one of ${values.join(', ')}`);
  return found;
}

export function textParam(description: string, maxLength = 200): Param<string | null> {
  return {
    many: false,
    schema: z.string().min(1).max(maxLength),
    description,
    absent: null,
    read: ([text = '']) => {
      // In code points, as JSON Schema counts.
      const length = [...text].length;
      if (length < 1 || length > maxLength) throw new ParamProblem(`must have 1 to ${maxLength} characters`);
      return text;
    },
  };
}

export function idParam(description: string): Param<string | null> {
  return { many: false, schema: uuid, description, absent: null, read: ([text = '']) => readId(text) };
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns the id in lower case. @throws ParamProblem when it is no UUID. */
export function readId(text: string): string {
  if (!ID.test(text)) throw new ParamProblem('must be a UUID');
  return text.toLowerCase();
}

const timeText = z
  .string()
  .meta({ format: 'date-time', examples: ['2026-03-02T09:15:04Z', '2026-03-02T09:15:04.120+01:00'] });

export function timeParam(description: string): Param<string | null> {
  return { many: false, schema: timeText, description, absent: null, read: ([text = '']) => readTime(text) };
}

const RFC_3339 = z.iso.datetime({ offset: true });
const TIME_LIKE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/i;

/** @returns ISO 8601 UTC with milliseconds. @throws ParamProblem for a time without zone or seconds, or a date that does not exist. */
export function readTime(text: string): string {
  if (!TIME_LIKE.test(text)) {
    const hint = /\d \d\d:\d\d$/.test(text) ? ' (a + in an address must be written as %2B)' : '';
    throw new ParamProblem(
      `must be a time with seconds and a zone, such as 2026-03-02T09:15:04Z or 2026-03-02T09:15:04.120+01:00${hint}`,
    );
  }
  const exists = RFC_3339.safeParse(text.toUpperCase()).success;
  const utc = new Date(text.toUpperCase());
  if (!exists || utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) {
    throw new ParamProblem('must be a date and time that exist, between the years 1 and 9999');
  }
  return utc.toISOString();
}
