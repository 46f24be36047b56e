import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { isAlike } from '../../text.ts';
import { readValues } from '../../values/read-values.ts';
import { type SpokenValue, sameValue } from '../../values/value.ts';
import type { AgentConfiguration } from '../../versions/configuration.ts';
import type { CallReading } from '../reading.ts';

/** What rows of the cause table ask a call and its configuration. Every answer is read off the record; none is a guess. */

const LOW_CONFIDENCE = 0.6;
/** Lines of fewer words are alike by chance. */
const WORDS_OF_A_LINE = 4;

/** Mean confidence of the recogniser in a turn's words; null where the platform gives none. */
function confidenceIn(reading: CallReading, index: number): number | null {
  const values = (reading.turnAt.get(index)?.words ?? []).flatMap(({ confidence }) =>
    confidence === null ? [] : [confidence],
  );
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** A sentence where the recogniser was unsure of a turn, else null. */
export function unsureOf(reading: CallReading, index: number): string | null {
  const confidence = confidenceIn(reading, index);
  if (confidence === null || confidence >= LOW_CONFIDENCE) return null;
  return `The recogniser's confidence in the words of turn ${index} was ${confidence.toFixed(2)} on average.`;
}

/** The last tool with an answer before a turn. */
export function lastAnswerBefore(reading: CallReading, index: number): ToolUse | null {
  let last: ToolUse | null = null;
  for (const use of reading.tools) {
    if (use.resultTurn === null || use.resultTurn >= index || use.effect === 'end') continue;
    if (last === null || use.resultTurn > (last.resultTurn ?? 0)) last = use;
  }
  return last;
}

export const isFault = (use: ToolUse | null): use is ToolUse => use !== null && use.ok === false && !use.denied;
export const toolId = (use: ToolUse): string => use.definition?.id ?? use.name;

/** The last turn of a role before a turn. */
export function lastBefore(reading: CallReading, role: SpokenTurn['role'], index: number): SpokenTurn | null {
  return (role === 'agent' ? reading.agent : reading.caller).findLast((turn) => turn.index < index) ?? null;
}

/** An earlier turn of the same side, at most so many turns back, in nearly the same words. */
export function saidBefore(reading: CallReading, turn: SpokenTurn, alike: number, within: number): SpokenTurn | null {
  if (turn.words.length < WORDS_OF_A_LINE || turn.content.length === 0) return null;
  for (let order = turn.order - 1; order >= Math.max(0, turn.order - within); order -= 1) {
    const before = reading.spoken[order];
    if (before?.role === turn.role && before.content.length > 0 && isAlike(before.content, turn.content, alike)) {
      return before;
    }
  }
  return null;
}

/** The caller answered between two turns with something that carries matter. */
export function answeredBetween(reading: CallReading, first: SpokenTurn, then: SpokenTurn): boolean {
  return reading.caller.some(
    (turn) => turn.order > first.order && turn.order < then.order && (turn.content.length > 0 || turn.newSlots > 0),
  );
}

/** All that the agent is told, text by text; null where the configuration was not captured or holds no words. */
export function textsOf(configuration: AgentConfiguration | null): string[] | null {
  if (configuration === null) return null;
  const texts = [
    configuration.prompt,
    ...configuration.nodes.flatMap((node) => [node.text, ...node.edges.map(({ condition }) => condition)]),
    ...configuration.tools.map(({ description }) => description),
  ].filter((text) => text !== null && text.trim() !== '');
  const told = [configuration.prompt, ...configuration.nodes.map(({ text }) => text)];
  return told.some((text) => text !== null && text.trim() !== '') ? texts.filter((text) => text !== null) : null;
}

/** True where what the agent is told is known and says nothing of a matter. */
export function isSilentOn(reading: CallReading, matter: RegExp): boolean {
  const texts = textsOf(reading.configuration);
  return texts !== null && !texts.some((text) => matter.test(text));
}

/** The first line of what the agent is told that fits; null where there is none. */
export function lineOn(reading: CallReading, fits: (line: string) => boolean): string | null {
  const { configuration } = reading;
  for (const text of [configuration?.prompt, ...(configuration?.nodes ?? []).map((node) => node.text)]) {
    const line = text?.split('\n').find((one) => one.trim() !== '' && fits(one));
    if (line !== undefined) return line.trim();
  }
  return null;
}

/** A captured setting by the end of its path, as it was written; null where there is none. */
export function settingOf(reading: CallReading, path: RegExp): { path: string; value: string } | null {
  for (const [name, value] of Object.entries(reading.configuration?.settings ?? {})) {
    if (path.test(name)) return { path: name, value };
  }
  return null;
}

const READ_AT_MOST = 2000;

export function valuesIn(text: string): SpokenValue[] {
  return readValues(text.slice(0, READ_AT_MOST));
}

/** The values in a turn's text; read once a turn, however many signals ask. */
export function valuesOfTurn(turn: SpokenTurn): readonly SpokenValue[] {
  turn.textValues ??= valuesIn(turn.turn.text);
  return turn.textValues;
}

export function sharesValue(some: readonly SpokenValue[], others: readonly SpokenValue[]): SpokenValue | null {
  return some.find((one) => others.some((other) => sameValue(one, other))) ?? null;
}
