import { type DraftTexts, edgePath, stepPath } from '../../domain/drafts/parts.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { openTexts, type WrittenTexts } from '../written-texts.ts';
import { outgoingEdges } from './edges.ts';

/**
 * An agent with other texts in some of its places, all else as it is.
 * @throws PlatformError where a text has no place of its own in it.
 */
export function putElevenLabsTexts(agent: JsonObject, given: DraftTexts): JsonObject {
  const texts = openTexts(given);
  const written = {
    ...agent,
    ...inside(agent, 'conversation_config', (config) => ({
      ...config,
      ...inside(config, 'agent', (own) => putOwn(own, texts)),
    })),
    ...inside(agent, 'workflow', (workflow) => putWorkflow(workflow, texts)),
  };
  texts.close('Tools, which agents share, and conditions that are formulas are changed at the platform.');
  return written;
}

function putOwn(own: JsonObject, texts: WrittenTexts): JsonObject {
  return {
    ...own,
    ...(own.first_message === undefined ? {} : { first_message: texts.at('/firstMessage', own.first_message) }),
    ...inside(own, 'prompt', (prompt) => ({
      ...prompt,
      ...(prompt.prompt === undefined ? {} : { prompt: texts.at('/prompt', prompt.prompt) }),
    })),
  };
}

function putWorkflow(workflow: JsonObject, texts: WrittenTexts): JsonObject {
  const edges = new Map<string, string>();
  for (const nodeId of Object.keys(isJsonObject(workflow.nodes) ? workflow.nodes : {})) {
    for (const [at, { id }] of outgoingEdges(workflow, nodeId).entries()) edges.set(id, edgePath(nodeId, at));
  }
  return {
    ...workflow,
    ...inside(workflow, 'nodes', (nodes) =>
      each(
        nodes,
        (node, id): JsonObject =>
          node.additional_prompt ? { additional_prompt: texts.at(stepPath(id), node.additional_prompt) } : {},
      ),
    ),
    ...inside(workflow, 'edges', (all) =>
      each(all, (edge, id) =>
        inside(edge, 'forward_condition', (condition) => putCondition(condition, edges.get(id), texts)),
      ),
    ),
  };
}

/** Only what a model decides is told in words. */
function putCondition(condition: JsonObject, path: string | undefined, texts: WrittenTexts): JsonObject {
  if (path === undefined || typeof condition.condition !== 'string') return condition;
  return { ...condition, condition: texts.at(path, condition.condition) };
}

/** An object inside of another, changed; nothing where it is not there. */
function inside(parent: JsonObject, name: string, change: (object: JsonObject) => JsonObject): JsonObject {
  const object = parent[name];
  return isJsonObject(object) ? { [name]: change(object) } : {};
}

/** Every object of a map with other values in some of its fields. */
const each = (map: JsonObject, changed: (object: JsonObject, id: string) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(map).map(([id, value]) => [id, isJsonObject(value) ? { ...value, ...changed(value, id) } : value]),
  );
