import { type DraftTexts, toolPath } from '../../domain/drafts/parts.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { textOf } from '../lenient.ts';
import { openTexts, type WrittenTexts } from '../written-texts.ts';

/**
 * An assistant with other texts in some of its places, all else as it is.
 * @throws PlatformError where a text has no place of its own in it.
 */
export function putVapiTexts(assistant: JsonObject, given: DraftTexts): JsonObject {
  const texts = openTexts(given);
  const model = isJsonObject(assistant.model) ? assistant.model : {};
  const written = {
    ...assistant,
    ...(assistant.firstMessage === undefined
      ? {}
      : { firstMessage: texts.at('/firstMessage', assistant.firstMessage) }),
    ...(assistant.model === undefined ? {} : { model: putModel(model, texts) }),
  };
  texts.close('A prompt of several messages, and tools that assistants share, are changed at the platform.');
  return written;
}

function putModel(model: JsonObject, texts: WrittenTexts): JsonObject {
  return {
    ...model,
    ...putPrompt(model, texts),
    ...(Array.isArray(model.tools)
      ? { tools: model.tools.map((tool) => (isJsonObject(tool) ? putTool(tool, texts) : tool)) }
      : {}),
  };
}

/** One system message, or the older field; of several it could not be told where a text belongs. */
function putPrompt(model: JsonObject, texts: WrittenTexts): JsonObject {
  const messages = Array.isArray(model.messages) ? model.messages : [];
  const systems = messages.filter((message) => isJsonObject(message) && message.role === 'system');
  if (systems.length > 1) return {};
  if (systems.length === 0) {
    return typeof model.systemPrompt === 'string' ? { systemPrompt: texts.at('/prompt', model.systemPrompt) } : {};
  }
  return {
    messages: messages.map((message) =>
      isJsonObject(message) && message.role === 'system'
        ? { ...message, content: texts.at('/prompt', message.content ?? '') }
        : message,
    ),
  };
}

function putTool(tool: JsonObject, texts: WrittenTexts): JsonObject {
  const called = isJsonObject(tool.function) ? tool.function : null;
  if (called === null) return tool;
  const name = textOf(called.name) ?? textOf(tool.name) ?? textOf(tool.type) ?? '';
  const description = texts.at(toolPath(textOf(tool.id) ?? name), called.description);
  return description === undefined ? tool : { ...tool, function: { ...called, description } };
}
