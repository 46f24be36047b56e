import { readFile } from 'node:fs/promises';
import { TOOL_VERDICTS, type ToolVerdict } from '../src/domain/vocabulary.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent, requireAgent } from './choose-agent.ts';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

export interface ToolRule {
  tool: string;
  means: ToolVerdict;
  field: string | null;
  values: string[];
}

export interface TeachOptions {
  agent?: string;
  tool?: string;
  means?: string;
  field?: string;
  value?: string[];
}

/** What the agent's tools were taught to mean. */
export async function showToolRules(session: Session, options: { agent?: string }): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const rules = await rulesInForce(session, agent.id);
  if (session.json) return session.print.json(rules);
  for (const rule of rules) session.print.line(inWords(rule));
  if (rules.length === 0) session.print.line('Answers of the tools are read as they are; nothing was taught.');
  session.print.note(`Teach one: ${PROGRAM} tools teach --help${agentFlag(agent, options.agent)}`);
}

/** Takes the rules of a file as the whole list, or puts one rule before the others. */
export async function teachTools(session: Session, file: string | undefined, options: TeachOptions): Promise<void> {
  const { client, print, json } = session;
  const taught = file === undefined ? null : await rulesIn(file);
  const added = taught === null ? ruleOf(options) : null;
  const agent = await requireAgent(session, options.agent);
  const toolRules = taught ?? [...(added ? [added] : []), ...(await rulesInForce(session, agent.id))];
  await client.person('PATCH', `/app/agents/${agent.id}`, { toolRules });
  if (json) return print.json(toolRules);
  for (const rule of toolRules) print.line(inWords(rule));
  print.note('Calls are read again where a rule is new; their readings change when that is done.');
}

async function rulesInForce({ client }: Session, agentId: string): Promise<ToolRule[]> {
  const { toolRules = [] } = await client.person<{ toolRules?: ToolRule[] }>('GET', `/app/agents/${agentId}/settings`);
  return toolRules;
}

async function rulesIn(file: string): Promise<ToolRule[]> {
  try {
    const rules: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (Array.isArray(rules)) return rules as ToolRule[];
  } catch {
    // Said below, as for JSON that is no list.
  }
  throw new Problem(`${file} is not a JSON list of rules, such as ${EXAMPLE}.`);
}

const EXAMPLE = '[{"tool": "book_visit", "means": "failed", "field": "booking.state", "values": ["void"]}]';

function ruleOf({ tool, means, field, value = [] }: TeachOptions): ToolRule {
  const verdict = TOOL_VERDICTS.find((one) => one === means);
  if (tool === undefined || verdict === undefined || value.length === 0) {
    throw new Problem(
      `Give a file, or --tool, --means (one of ${TOOL_VERDICTS.join(', ')}) and --value, with --field where it is one field.`,
    );
  }
  return { tool, means: verdict, field: field ?? null, values: value };
}

const inWords = ({ tool, means, field, values }: ToolRule): string => {
  const where = field === null ? 'the answer holds' : `${field} is`;
  return `${tool === '*' ? 'every tool' : tool}: ${means} where ${where} ${values.map((one) => JSON.stringify(one)).join(' or ')}`;
};
