import type { CallBase } from '../../../src/domain/calls/call-base.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

/** Reads a talk of plain lines: `a:` is the agent, `c:` the caller. */
export function talk(...lines: readonly string[]): CallBase {
  return readTurns(scripted(lines.map(asLine)));
}

export function asLine(line: string): Line {
  const text = line.slice(2).trim();
  return line.startsWith('a:') ? { a: text } : { c: text };
}
