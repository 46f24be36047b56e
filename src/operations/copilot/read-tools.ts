import type { Json } from '../../domain/json.ts';
import type { TalkTool } from '../../models/port.ts';
import type { ToolOutcome } from '../../services/copilot/answer-question.ts';
import { Failure } from '../failure.ts';
import type { Operation } from '../operation.ts';
import { makeTools, readArguments, type Tool } from '../tools.ts';
import { isArguments, outcomeOf, type PersonRunner } from './as-person.ts';

export interface OfferedTool {
  tool: TalkTool;
  call(input: Json | undefined): Promise<ToolOutcome>;
}

/** Every read of `/v1` about the agent of the conversation: no argument can name another one. */
export function offerReads(operations: readonly Operation[], runner: PersonRunner, agentId: string): OfferedTool[] {
  return makeTools(operations)
    .filter(({ operation }) => operation.scope === 'read')
    .map((tool) => ({
      tool: { name: tool.name, description: tool.description, inputSchema: withoutAgent(tool) },
      call: (input) => outcomeOf(() => read(runner, tool, agentId, input)),
    }));
}

async function read(runner: PersonRunner, tool: Tool, agentId: string, input: Json | undefined): Promise<ToolOutcome> {
  if (!isArguments(input)) throw new Failure('invalid_body', 'The arguments must be a JSON object.');
  const { operation } = tool;
  refuseAgent(input);
  const { path, query, body } = readArguments(operation, input);
  const inAgent = operation.pathParams.includes('agentId') ? { ...path, agentId } : path;
  const answer = await runner.perform({ operation, tool: tool.name, path: inAgent, query, body });
  return { status: answer.status, text: answer.stored?.text ?? JSON.stringify(answer.body) };
}

/** An agent that is named could only be another one. @throws Failure */
export function refuseAgent(input: { [key: string]: Json }): void {
  if (!Object.hasOwn(input, 'agentId')) return;
  throw new Failure('invalid_parameter', 'Leave agentId out: every tool is about the agent of this conversation.', {
    param: 'agentId',
  });
}

/** The schema of a tool as the copilot has it: the conversation says which agent is meant. */
export function withoutAgent({ inputSchema }: Tool): Tool['inputSchema'] {
  const { agentId: _agent, ...properties } = inputSchema.properties;
  return { ...inputSchema, properties, required: inputSchema.required.filter((name) => name !== 'agentId') };
}
