import { type Analyser, AnalysisFailed } from '../../analyser/analyser.ts';
import { previewInput, type ThresholdPreview, thresholdPreview } from '../../contract/threshold-preview.ts';
import { readRules } from '../../db/agents/agent-source.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import { loadForAnalysis, newestAnalysedCallIds } from '../../db/analysis/load-for-analysis.ts';
import type { EntityManager } from '../../db/database.ts';
import { labelsOfCalls } from '../../db/labels/signal-labels.ts';
import { readAgentCosts } from '../../db/metrics/agent-costs.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import type { AgentCosts, DetectorInput, Thresholds } from '../../domain/signals/detector-input.ts';
import { defineOperation } from '../operation.ts';
import { checkThresholds, codesThatChange } from './check-thresholds.ts';
import { createPreviewTally, labelName, type PreviewTally } from './preview-tally.ts';
import { toolRulesText } from './update-agent.ts';

/** Calls that are loaded at once, and how long a person should have to wait for an answer. */
const PAGE_CALLS = 25;
const BUDGET_MS = 5_000;

export const previewThresholds = defineOperation({
  id: 'previewThresholds',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/thresholds/preview',
  scope: 'person',
  audits: false,
  tag: 'Agents',
  summary: 'See what other thresholds, or other meanings of tool answers, would find',
  description:
    'Reads the newest calls under the settings in force and under the given ones, and says per code which signals would be added and withdrawn, with examples and with what people said about them. Changes nothing. It takes at most a few seconds and says how many calls it read; the whole history is read by a re-analysis, which the change of the setting starts.',
  body: previewInput,
  response: thresholdPreview,
  transaction: false,
  async run(context, { body }): Promise<ThresholdPreview> {
    const { em, agent, services } = context;
    checkThresholds(body.thresholds);
    const { thresholds: inForce, phraseRules, toolRules } = await readRules(em, agent.id);
    const agentCosts = await readAgentCosts(em, agent.id);
    const callIds = await newestAnalysedCallIds(em, agent.id, body.calls);
    const given = { thresholds: body.thresholds, toolRules: body.toolRules ?? toolRules };
    const teaches = toolRulesText(given.toolRules) !== toolRulesText(toolRules);
    const changed = codesThatChange(inForce, body.thresholds);
    // What an answer means may tell on every code, and is shown where it does.
    const codes = teaches ? [...CATALOGUE.keys()] : changed;
    const tally = createPreviewTally(codes, await labels(em, agent.id, callIds, codes));
    const until = services.now().getTime() + BUDGET_MS;
    const pages = Array.from({ length: Math.ceil(callIds.length / PAGE_CALLS) }, (_, page) =>
      callIds.slice(page * PAGE_CALLS, (page + 1) * PAGE_CALLS),
    );
    for (const page of codes.length === 0 ? [] : pages) {
      if (services.now().getTime() >= until) break;
      const rules = { inForce: { thresholds: inForce, toolRules }, given, phraseRules, agentCosts };
      await readPage(em, services.analyser, agent, page, rules, tally);
    }
    return {
      object: 'threshold_preview',
      thresholds: body.thresholds,
      asked: callIds.length,
      calls: tally.calls(),
      message: messageOf(codes, tally.calls(), callIds.length),
      signals: tally
        .signals()
        .filter(({ code, added, withdrawn }) => changed.includes(code) || added.signals + withdrawn.signals > 0),
    };
  },
});

async function labels(em: EntityManager, agentId: string, callIds: string[], codes: string[]) {
  const said = await labelsOfCalls(em, agentId, callIds, codes);
  return new Map(said.map(({ callId, code, turnIndex, label }) => [labelName(callId, code, turnIndex), label]));
}

/** In processes of the analyser. A call that can't be read there is not counted. */
async function readPage(
  em: EntityManager,
  analyser: Analyser,
  { id: agentId, workspaceId }: AgentView,
  callIds: string[],
  rules: { inForce: Way; given: Way; agentCosts: AgentCosts } & Pick<DetectorInput, 'phraseRules'>,
  tally: PreviewTally,
): Promise<void> {
  const { inForce, given, ...others } = rules;
  for (const { callId, call, configuration, callerHistory } of await loadForAnalysis(em, agentId, callIds)) {
    const input = { call, configuration, callerHistory, ...others };
    const read = await readBothWays(analyser, workspaceId, input, [inForce, given]);
    if (read) tally.add(callId, read[0].signals, read[1].signals);
  }
}

interface Way extends Pick<DetectorInput, 'toolRules'> {
  thresholds: Thresholds;
}

async function readBothWays(analyser: Analyser, workspaceId: string, input: DetectorInput, ways: [Way, Way]) {
  try {
    const read = ({ thresholds, ...rules }: Way) => analyser.analyse(workspaceId, { ...input, ...rules }, thresholds);
    return await Promise.all([read(ways[0]), read(ways[1])]);
  } catch (error) {
    if (error instanceof AnalysisFailed) return null;
    throw error;
  }
}

function messageOf(codes: readonly string[], read: number, asked: number): string {
  if (codes.length === 0) return 'These are the settings in force: nothing would change.';
  const rest = read < asked ? ' The others would have taken too long; ask for fewer, or read the whole history.' : '';
  return `Read ${read} of ${asked} calls under both settings. Nothing was changed.${rest}`;
}
