import type { AnswerKey } from '../../db/copilot/answers.ts';
import { type CardView, insertCard } from '../../db/copilot/cards.ts';
import type { EntityManager } from '../../db/database.ts';
import { ANSWER_BOUNDS } from '../../domain/copilot/copilot.ts';
import { PROPOSABLE, summaryOf } from '../../domain/copilot/proposals.ts';
import type { Json } from '../../domain/json.ts';
import type { ToolOutcome } from '../../services/copilot/answer-question.ts';
import { Failure } from '../failure.ts';
import type { Operation } from '../operation.ts';
import { makeTool, readArguments, type Tool } from '../tools.ts';
import { isArguments, outcomeOf, type PersonRunner } from './as-person.ts';
import { cardDigest, presentCard } from './card.ts';
import { type OfferedTool, refuseAgent, withoutAgent } from './read-tools.ts';

/** Where cards of an answer are kept. */
interface CardKeeper {
  em(): EntityManager;
  key: AnswerKey;
  agentId: string;
  /** What starting this run would cost, in a sentence. @throws Failure where it may not be proposed. */
  sayRun(body: Json): Promise<string>;
}

const INPUT_AT_MOST = 64_000;

/**
 * What may be proposed, as tools that do nothing but keep a card: it was checked as the request would be, up to what only
 * the work itself can tell.
 */
export function offerProposals(
  operations: readonly Operation[],
  runner: PersonRunner,
  keeper: CardKeeper,
): OfferedTool[] {
  let proposed = 0;
  return operations
    .filter(({ id }) => PROPOSABLE.includes(id))
    .map(makeTool)
    .map((tool) => ({
      tool: {
        name: `propose_${tool.name}`,
        description: `Proposes a change to the person, who confirms or dismisses it; nothing is changed by it. Call it only for what the person asked for. What it would do: ${tool.description}`,
        inputSchema: withoutAgent(tool),
      },
      call: (input) =>
        outcomeOf(async () => {
          if (proposed >= ANSWER_BOUNDS.cards) throw new Failure('invalid_body', 'No more proposals in one answer.');
          const outcome = await propose(runner, tool, keeper, input);
          proposed += 1;
          return outcome;
        }),
    }));
}

async function propose(
  runner: PersonRunner,
  { operation, name }: Tool,
  keeper: CardKeeper,
  given: Json | undefined,
): Promise<ToolOutcome> {
  if (!isArguments(given)) throw new Failure('invalid_body', 'The arguments must be a JSON object.');
  refuseAgent(given);
  const { path, query, body } = readArguments(operation, given);
  // Made of the arguments above, which are JSON.
  const value = body.kind === 'parsed' ? (body.value as Record<string, Json>) : {};
  if (JSON.stringify(value).length > INPUT_AT_MOST) throw new Failure('invalid_body', 'The proposal is too long.');
  await runner.check({ operation, tool: name, path: { ...path, agentId: keeper.agentId }, query, body });
  const cost = operation.id === 'startRun' ? ` ${await keeper.sayRun(value)}` : '';
  const input = { path, body: value };
  const summary = `${summaryOf(operation.id, input)}${cost}`;
  const card = { operation: operation.id, input, summary, digest: cardDigest(operation.id, input) };
  return told(await insertCard(keeper.em(), keeper.key, keeper.agentId, card));
}

function told(row: CardView): ToolOutcome {
  const card = presentCard(row);
  const text = JSON.stringify({
    proposed: card.summary,
    cardId: card.id,
    note: 'The person decides. Nothing is changed yet.',
  });
  return { status: 201, text, card };
}
