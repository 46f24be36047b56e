import type { Act } from '../../acts/act.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import type { CallBase } from '../call-base.ts';
import { type ToolUse, worked } from '../tool-uses.ts';

const LAST_TURNS = 3;
/** What stood at some point of the talk and tells of its end, whatever came later. */
const STOOD = ['refused', 'later', 'held', 'handed_over'] as const;
/** What callers did anywhere on the call. */
const DID = [
  'complains',
  'asks_for_person',
  'corrects',
  'already_told',
  'gives_up',
  'asks_again',
  'thanks',
] as const satisfies readonly Act['kind'][];
const SHORT = 3;
const MIDDLE = 8;
const TURNS_OF_A_STEP = 5;
const LONGEST = 4;

/** What the end of a talk shows, as names of things that are there: what stands, what the last turns do, and what tools did. */
export function marksOf(reading: CallBase): string[] {
  const { caller, agent, spoken, tools } = reading;
  const standings = reading.standings().map(({ kind }) => kind);
  const settled = standings.includes('done') ? 'done' : standings.includes('told') ? 'told' : 'nothing';
  const lastCallers = caller.slice(-LAST_TURNS).reverse();
  return [
    `stands:${standings.at(-1) ?? 'nothing'}`,
    `settled:${settled}`,
    ...STOOD.filter((kind) => standings.includes(kind)).map((kind) => `stood:${kind}`),
    `last:${spoken.at(-1)?.role ?? 'nobody'}`,
    ...lastCallers.flatMap((turn, back) => [...deeds('caller', back, turn), `caller${back}:${lengthOf(turn)}`]),
    ...agent
      .slice(-LAST_TURNS)
      .reverse()
      .flatMap((turn, back) => deeds('agent', back, turn)),
    ...DID.filter((kind) => caller.some((turn) => turn.acts.some((act) => act.kind === kind))).map(
      (kind) => `ever:${kind}`,
    ),
    `length:${Math.min(LONGEST, Math.floor(spoken.length / TURNS_OF_A_STEP))}`,
    ...marksOfTools(tools),
  ];
}

function deeds(who: string, back: number, turn: SpokenTurn): string[] {
  const kinds = new Set(turn.acts.map((act) => act.kind));
  return kinds.size === 0 ? [`${who}${back}:nothing`] : [...kinds].map((kind) => `${who}${back}:${kind}`);
}

function lengthOf({ words }: SpokenTurn): string {
  if (words.length <= SHORT) return 'short';
  return words.length <= MIDDLE ? 'middle' : 'long';
}

function marksOfTools(tools: readonly ToolUse[]): string[] {
  const wrote = tools.some((use) => use.effect === 'write' && worked(use));
  const failed = tools.some((use) => use.ok === false);
  return [`tool:${endOf(tools.at(-1))}`, ...(wrote ? ['tools:wrote'] : []), ...(failed ? ['tools:failed'] : [])];
}

function endOf(use: ToolUse | undefined): string {
  if (use === undefined) return 'none';
  if (use.ok === false) return 'failed';
  if (use.refusal) return 'refused';
  if (use.ok === null) return 'none';
  return use.effect === 'write' ? 'wrote' : 'looked';
}
