import { says } from '../../acts/spoken-turn.ts';
import { isAlike } from '../../text.ts';
import { MACHINE_LINE, OPT_OUT_LINE, PERSIST_LINE } from '../../words/wordings.ts';
import type { CauseRow } from '../catalogue-entry.ts';
import { PROMPT } from '../places.ts';
import type { CallReading } from '../reading.ts';
import { isSilentOn, lineOn, settingOf, toolId } from './evidence.ts';
import { ANSWER_NOT_TAKEN, agentsOwn, FAILING_TOOL, REFUSED, row } from './shared.ts';
import { lineSlug, theLine, theStep, theTool } from './variants.ts';

export const OPT_OUT_IGNORED: readonly CauseRow[] = [
  row(
    {
      code: 'told_to_persist',
      label: 'The agent is told not to take a no',
      category: 'instruction_conflict',
      ...agentsOwn,
      recommendation: 'Take {target} out, or say there that a wish not to be called ends the call.',
      target: theLine,
    },
    (_detection, reading) => {
      const line = lineOn(reading, (text) => PERSIST_LINE.test(text));
      return line === null ? null : { detail: `It says: "${line.slice(0, 160)}"`, variant: lineSlug(line) };
    },
  ),
  row(
    {
      code: 'no_word_on_opt_out',
      label: 'The agent is not told what to do when somebody does not want to be called',
      category: 'instruction_gap',
      ...agentsOwn,
      recommendation:
        'Write into {target}: when somebody does not want to be called, confirm it in one sentence and end the call.',
      target: () => PROMPT,
    },
    (_detection, reading) =>
      isSilentOn(reading, OPT_OUT_LINE) ? 'Neither prompt nor steps nor tools speak of it.' : null,
  ),
  row(
    {
      code: 'no_way_out_of_step',
      label: 'The step has no way to the end of the call',
      category: 'missing_path',
      ...agentsOwn,
      recommendation: 'Give {place} an edge to the end of the call for somebody who does not want to be called.',
    },
    ({ place }, { configuration }) => {
      const node = place.kind === 'node' ? configuration?.nodes.find(({ id }) => id === place.id) : undefined;
      if (!node || !configuration || node.edges.length === 0) return null;
      const ends = new Set(configuration.nodes.filter(({ kind }) => /end/i.test(kind)).map(({ id }) => id));
      if (ends.size === 0 || node.edges.some(({ to }) => to !== null && ends.has(to))) return null;
      return 'None of its edges leads to a step that ends the call.';
    },
  ),
];

/** Where a call stood still or was left: what was the last that happened. */
export const LEFT_OR_STANDING: readonly CauseRow[] = [FAILING_TOOL, REFUSED, ANSWER_NOT_TAKEN];

export const STEP_SKIPPED: readonly CauseRow[] = [
  row(
    {
      code: 'entered_without_edge',
      label: 'A step is entered to which no edge led',
      category: 'flow_design',
      ...agentsOwn,
      recommendation:
        'See what leads to {target} from outside its edges, and give it the condition that {place} was passed.',
      target: theStep,
    },
    (_detection, { configuration, nodes }) => {
      if (configuration === null) return null;
      const jump = nodes.find((node, at) => {
        const before = configuration.nodes.find(({ id }) => id === nodes[at - 1]?.nodeId);
        return before !== undefined && before.id !== node.nodeId && !before.edges.some(({ to }) => to === node.nodeId);
      });
      return jump === undefined
        ? null
        : { detail: `No edge of the step before leads to "${jump.label}".`, variant: jump.nodeId };
    },
  ),
];

const ROUNDS = 3;
const LINES = 3;
const WAITING_SHARE = 1 / 3;

export const MAX_DURATION_END: readonly CauseRow[] = [
  row(
    {
      code: 'goes_in_circles',
      label: 'The call goes round in circles at one step',
      category: 'missing_path',
      ...agentsOwn,
      recommendation: 'Give {target} a way out for the case that nothing new was said.',
      target: theStep,
    },
    (_detection, { nodes }) => {
      const counts = Map.groupBy(nodes, ({ nodeId }) => nodeId);
      const [most] = [...counts.values()].toSorted((a, b) => b.length - a.length);
      const [first] = most ?? [];
      if (!first || (most?.length ?? 0) < ROUNDS) return null;
      return { detail: `The step "${first.label}" was entered ${most?.length} times.`, variant: first.nodeId };
    },
  ),
  row(
    {
      code: 'waits_for_tool',
      label: 'The agent waits for a tool',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Make {target} faster.',
      target: theTool,
    },
    (_detection, { call, tools }) => {
      const slowest = tools.toSorted((a, b) => (b.latencyMs ?? 0) - (a.latencyMs ?? 0))[0];
      const total = tools.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0);
      if (!slowest || call.durationMs <= 0 || total < call.durationMs * WAITING_SHARE) return null;
      return { detail: `Tools took ${total} ms of ${call.durationMs} ms.`, variant: toolId(slowest) };
    },
  ),
  row({ ...ANSWER_NOT_TAKEN }, (_detection, reading) => {
    const asked = reading.agent.filter((turn) => turn.asks && turn.content.length > 0).slice(-40);
    const again = asked.find((turn) => asked.filter((one) => isAlike(one.content, turn.content, 0.9)).length >= LINES);
    return again === undefined ? null : `The question of turn ${again.index} was asked ${LINES} times or more.`;
  }),
];

export const VOICEMAIL_TALKED_TO: readonly CauseRow[] = [
  row(
    {
      code: 'machine_detection_off',
      label: 'The detection of answering machines is switched off',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Switch the detection of answering machines on, and say what {place} does when one answers.',
    },
    (_detection, reading) => {
      const setting = settingOf(reading, /(?:voicemail|machine)_?detection(?:\.enabled)?$/i);
      return setting !== null && /^(?:false|null|"off"|"disabled"|"none")$/i.test(setting.value)
        ? `The setting "${setting.path}" is ${setting.value}.`
        : null;
    },
  ),
  row(
    {
      code: 'no_word_on_machines',
      label: 'The agent is not told what to do when a machine answers',
      category: 'instruction_gap',
      ...agentsOwn,
      recommendation: 'Write into {target} what is said to an answering machine, and that the call then ends.',
      target: () => PROMPT,
    },
    (_detection, reading) =>
      isSilentOn(reading, MACHINE_LINE) ? 'Neither prompt nor steps nor tools speak of machines.' : null,
  ),
];

export const SILENCE_TIMEOUT_END: readonly CauseRow[] = [
  row(
    {
      code: 'waits_for_tool',
      label: 'The agent waits for a tool',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Make sure that {target} always answers in time, and let the agent speak while it runs.',
      target: theTool,
    },
    ({ turnIndex }, { tools }) => {
      const open = tools.findLast(
        (use) => (use.callTurn ?? -1) >= turnIndex && (use.resultTurn === null || use.errorType === 'missing'),
      );
      return open === undefined
        ? null
        : { detail: `It was called at turn ${open.callTurn}, and no answer came.`, variant: toolId(open) };
    },
  ),
  FAILING_TOOL,
];

/** Calls of a tool with an answer that was there: within one turn of the agent, or for another question of the caller. */
export const TOOL_CALL_REPEATED: readonly CauseRow[] = [
  row(
    {
      code: 'twice_without_a_word',
      label: 'The agent calls it twice before anybody speaks',
      category: 'invalid_invocation',
      ...agentsOwn,
      recommendation: 'Write into the prompt that {place} is called once and its answer awaited.',
    },
    ({ turnIndex, place }, reading) => {
      const between = callsAround(reading, turnIndex, place.id);
      if (between === null) return null;
      return reading.spoken.some(({ index }) => index > between.from && index < between.to)
        ? null
        : `Nobody spoke between turn ${between.from} and turn ${between.to}.`;
    },
  ),
  row(
    {
      code: 'step_runs_it_again',
      label: 'The flow comes back to the step that runs it',
      category: 'flow_design',
      ...agentsOwn,
      recommendation: 'Lead the flow past {target} where the answer is known.',
      target: theStep,
    },
    ({ turnIndex, place }, reading) => {
      const between = callsAround(reading, turnIndex, place.id);
      const here = between && reading.nodes.findLast(({ turn }) => turn <= between.to);
      const first = between && reading.nodes.findLast(({ turn }) => turn <= between.from);
      if (!here || !first || here.nodeId !== first.nodeId || here.turn === first.turn) return null;
      return { detail: `The step "${here.label}" was entered again at turn ${here.turn}.`, variant: here.nodeId };
    },
  ),
  row(
    {
      code: 'looked_up_for_each_question',
      label: 'The agent looks up anew for each question of the caller',
      category: 'context_lost',
      ...agentsOwn,
      recommendation:
        'Write into the prompt that what {place} has answered in the call is used for later questions too.',
    },
    ({ turnIndex, place }, reading) => {
      const use = reading.tools.find((one) => one.resultTurn === turnIndex);
      const times = reading.tools.filter((one) => toolId(one) === place.id && one.argsKey === use?.argsKey).length;
      return times < LOOK_UPS ? null : `It was called ${times} times with the same arguments.`;
    },
  ),
];

/** Looking twice may be care. */
const LOOK_UPS = 3;

function callsAround({ tools }: CallReading, turnIndex: number, id: string): { from: number; to: number } | null {
  const use = tools.find((one) => one.resultTurn === turnIndex);
  const before = tools.findLast(
    (one) =>
      one !== use && toolId(one) === id && one.argsKey === use?.argsKey && (one.resultTurn ?? turnIndex) < turnIndex,
  );
  if (use?.callTurn == null || before?.resultTurn == null) return null;
  return { from: before.resultTurn, to: use.callTurn };
}

const CIRCLES = [
  'flow_loop',
  'agent_repeats_line',
  'tool_retry_storm',
  'no_progress',
  'goodbye_loop',
  'tool_call_repeated',
];

/** An expensive call is renewed without its talk: what else was noticed on it is all there is to read. */
export const COST_OUTLIER: readonly CauseRow[] = [
  {
    code: 'goes_in_circles',
    label: 'The call goes round in circles',
    category: 'missing_path',
    ...agentsOwn,
    recommendation: 'Fix what makes these calls long first: they show it by themselves.',
    evidence: ({ codes }) => {
      const shown = Array.isArray(codes) ? CIRCLES.filter((code) => codes.includes(code)) : [];
      return shown.length === 0 ? null : `The call also shows ${shown.join(', ')}.`;
    },
  },
];

export const FILLER_HEAVY: readonly CauseRow[] = [
  row(
    {
      code: 'waits_without_tool',
      label: 'The agent says that it is waiting where no tool runs',
      category: 'wording',
      ...agentsOwn,
      recommendation: 'Write into {place} that a sentence of waiting is said only while a tool runs.',
    },
    (_detection, reading) => {
      const { idle, all } = fillers(reading);
      return all > 0 && idle > all / 2 ? `After ${idle} of ${all} such sentences no tool was called.` : null;
    },
  ),
  row(
    {
      code: 'many_tools_in_a_row',
      label: 'The agent waits for one tool after the other',
      category: 'flow_design',
      ...agentsOwn,
      recommendation: 'Let one tool do what several do now, and say one sentence of waiting for all of them.',
    },
    (_detection, reading) => {
      const { idle, all } = fillers(reading);
      return all > 0 && idle * 2 <= all
        ? `${all - idle} of ${all} such sentences stand before a call of a tool.`
        : null;
    },
  ),
];

function fillers(reading: CallReading): { idle: number; all: number } {
  const turns = reading.agent.filter((turn) => says(turn, 'filler') && !turn.asks);
  const working = turns.filter((turn) => {
    const next = reading.spoken[turn.order + 1]?.index ?? reading.lastIndex + 1;
    return reading.tools.some(({ callTurn, resultTurn }) => {
      const at = callTurn ?? resultTurn ?? -1;
      return at >= turn.index && at < next;
    });
  });
  return { idle: turns.length - working.length, all: turns.length };
}
