import { type DraftTexts, edgePath, stepPath, toolPath } from '../../domain/drafts/parts.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { textOf } from '../lenient.ts';
import { openTexts, type WrittenTexts } from '../written-texts.ts';

/**
 * An engine (a flow, or a prompt with its states) with other texts in some of its places, all else as it is.
 * @throws PlatformError where a text has no place of its own in it.
 */
export function putRetellTexts(engine: JsonObject, given: DraftTexts): JsonObject {
  const texts = openTexts(given);
  const isFlow = Array.isArray(engine.nodes) || 'global_prompt' in engine;
  const written = isFlow ? putFlow(engine, texts) : putPrompt(engine, texts);
  texts.close('Components that several flows share, and conditions that are formulas, are changed at the platform.');
  return written;
}

function putFlow(engine: JsonObject, texts: WrittenTexts): JsonObject {
  return {
    ...engine,
    ...present(engine, 'global_prompt', (prompt) => texts.at('/prompt', prompt)),
    ...list(engine, 'nodes', (node) => putNode(node, texts)),
    ...list(engine, 'tools', (tool) => putTool(tool, texts)),
    ...list(engine, 'components', (component) => ({
      ...component,
      ...list(component, 'nodes', (node) => putNode(node, texts)),
      ...list(component, 'tools', (tool) => putTool(tool, texts)),
    })),
  };
}

function putPrompt(engine: JsonObject, texts: WrittenTexts): JsonObject {
  return {
    ...engine,
    ...present(engine, 'general_prompt', (prompt) => texts.at('/prompt', prompt)),
    ...present(engine, 'begin_message', (message) => texts.at('/firstMessage', message)),
    ...list(engine, 'general_tools', (tool) => putTool(tool, texts)),
    ...list(engine, 'states', (state) => ({
      ...state,
      ...present(state, 'state_prompt', (prompt) => texts.at(stepPath(textOf(state.name) ?? ''), prompt)),
      ...list(state, 'edges', (edge, at) => ({
        ...edge,
        ...present(edge, 'description', (words) => texts.at(edgePath(textOf(state.name) ?? '', at), words)),
      })),
      ...list(state, 'tools', (tool) => putTool(tool, texts)),
    })),
  };
}

/** The edges beside the list count on behind it, in the order in which a configuration reads them. */
function putNode(node: JsonObject, texts: WrittenTexts): JsonObject {
  const id = textOf(node.id) ?? '';
  const instruction = isJsonObject(node.instruction) ? node.instruction : null;
  const beside = ['else_edge', 'always_edge', 'skip_response_edge'].flatMap((name) => {
    const edge = node[name];
    return isJsonObject(edge) ? [{ name, edge }] : [];
  });
  const first = Array.isArray(node.edges) ? node.edges.length : 0;
  return {
    ...node,
    ...(instruction === null
      ? {}
      : { instruction: { ...instruction, ...present(instruction, 'text', (text) => texts.at(stepPath(id), text)) } }),
    ...list(node, 'edges', (edge, at) => putEdge(edge, edgePath(id, at), texts)),
    ...Object.fromEntries(beside.map(({ name, edge }, at) => [name, putEdge(edge, edgePath(id, first + at), texts)])),
  };
}

function putEdge(edge: JsonObject, path: string, texts: WrittenTexts): JsonObject {
  const condition = edge.transition_condition;
  if (!isJsonObject(condition) || typeof condition.prompt !== 'string') return edge;
  return { ...edge, transition_condition: { ...condition, prompt: texts.at(path, condition.prompt) } };
}

function putTool(tool: JsonObject, texts: WrittenTexts): JsonObject {
  const path = toolPath(textOf(tool.tool_id) ?? textOf(tool.name) ?? '');
  const description = texts.at(path, tool.description);
  return description === undefined ? tool : { ...tool, description };
}

/** A field that is there, changed; nothing where it is not. */
const present = (object: JsonObject, name: string, change: (value: Json) => Json): JsonObject =>
  object[name] === undefined ? {} : { [name]: change(object[name]) };

function list(object: JsonObject, name: string, change: (item: JsonObject, at: number) => JsonObject): JsonObject {
  const items = object[name];
  return Array.isArray(items)
    ? { [name]: items.map((item, at) => (isJsonObject(item) ? change(item, at) : item)) }
    : {};
}
