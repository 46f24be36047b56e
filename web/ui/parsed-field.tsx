import { useEffect, useRef, useState } from 'react';
import { TextArea } from './field.tsx';

interface ParsedFieldProps<T> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  format: (value: T) => string;
  /** Throws where the text says no value yet. */
  parse: (text: string) => T;
  hint?: string;
  rows?: number;
  required?: boolean;
  /** Said in place of the field's own refusal. */
  error?: string | null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A value that is written as text. What was typed stays as it is while it says the value, and while it says none: then
 * the form around it can't be sent. A value that such text can't say is shown and not changed here.
 */
export function ParsedField<T>({ value, onChange, format, parse, hint, error, ...props }: ParsedFieldProps<T>) {
  const [typed, setTyped] = useState(() => ({ text: format(value), says: value }));
  const area = useRef<HTMLTextAreaElement>(null);
  const text = same(typed.says, value) ? typed.text : format(value);
  const why = refusalOf(text, parse);
  const fits = why !== null || same(parse(text), value);
  useEffect(() => area.current?.setCustomValidity(why ?? ''), [why]);
  const change = (next: string) => {
    const says = refusalOf(next, parse) === null ? parse(next) : value;
    setTyped({ text: next, says });
    if (!same(says, value)) onChange(says);
  };
  return (
    <TextArea
      {...props}
      ref={area}
      value={text}
      readOnly={!fits}
      spellCheck={false}
      hint={fits ? hint : 'This can only be changed in the file.'}
      error={why ?? error ?? null}
      onChange={({ target }) => change(target.value)}
    />
  );
}

function refusalOf(text: string, parse: (text: string) => unknown): string | null {
  try {
    parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

type Rest<T> = Omit<ParsedFieldProps<T>, 'format' | 'parse'>;

export const LinesField = (props: Rest<string[]>) => (
  <ParsedField {...props} format={(value) => value.join('\n')} parse={lines} />
);

export const JsonField = (props: Rest<unknown>) => (
  <ParsedField {...props} format={(value) => JSON.stringify(value, null, 2)} parse={(text) => JSON.parse(text)} />
);

/** Empty: any. */
export const JsonObjectField = (props: Rest<Record<string, unknown> | null>) => (
  <ParsedField
    {...props}
    format={(value) => (value === null ? '' : JSON.stringify(value))}
    parse={(text) => {
      const value: unknown = text.trim() === '' ? null : JSON.parse(text);
      if (value === null) return null;
      if (typeof value !== 'object' || Array.isArray(value)) throw new Error('This must be a JSON object.');
      return { ...value };
    }}
  />
);
