import { parseJson } from '../domain/parse-json.ts';
import type { ToolCall } from './port.ts';

/** A call as its pieces came. */
export interface GivenCall {
  id: string;
  name: string;
  /** JSON text; empty where the tool was asked for without arguments. */
  input: string;
}

export const toolCallOf = ({ id, name, input }: GivenCall): ToolCall => ({
  id,
  name,
  input: input.trim() === '' ? {} : parseJson(input),
});
