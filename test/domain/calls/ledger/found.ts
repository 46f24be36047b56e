import { readCall } from '../../../../src/domain/signals/reading.ts';
import { type Given, type Line, scripted } from '../../signals/scripted-call.ts';

/** The rules by which words and record of a call part, in the order of their turns. */
export function rulesIn(lines: readonly Line[], given: Given = {}): string[] {
  return readCall(scripted(lines, given))
    .findings()
    .map(({ rule }) => rule);
}

/** A tool that was called and answered, with the words between left out. */
export function used(name: string, args: Record<string, string | number>, body: object | string): Line[] {
  return [
    { call: name, args },
    { result: name, body: JSON.parse(JSON.stringify(body)) },
  ];
}
