import { readFile } from 'node:fs/promises';
import { fieldOf } from '../src/domain/json.ts';
import { Problem } from './problem.ts';

/** Fields of `docs/schemas/agent-configuration.json`. */
const FIELDS = ['prompt', 'firstMessage', 'tools', 'version', 'set'];

/** @throws Problem where the file is no configuration of an agent, or says nothing. */
export async function readAgentConfiguration(file: string): Promise<object> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Problem(`${file} is not a readable JSON file (${error instanceof Error ? error.message : 'unknown'}).`);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Problem(`${file}: a configuration is a JSON object such as {"prompt": "…", "tools": [{"name": "…"}]}.`);
  }
  const unknown = Object.keys(given).filter((name) => !FIELDS.includes(name));
  if (unknown.length > 0) {
    throw new Problem(
      `${file}: ${unknown.join(', ')} can't be used. The fields are ${FIELDS.slice(0, -1).join(', ')}.`,
    );
  }
  const { prompt, tools } = partsOf(given);
  if (prompt === null && tools.length === 0) {
    throw new Problem(`${file} has neither a prompt nor tools, so it changes nothing.`);
  }
  const nameless = tools.findIndex((name) => name === null);
  if (nameless >= 0) throw new Problem(`${file}: tools[${nameless}] has no name.`);
  return given;
}

/** What a configuration says, in one line. */
export function configurationInWords(given: object): string {
  const { prompt, tools } = partsOf(given);
  const of = tools.length === 0 ? 'no tools' : `tools ${tools.join(', ')}`;
  return `Configuration: ${prompt === null ? 'no prompt' : `a prompt of ${prompt.length.toLocaleString('en-US')} characters`}, ${of}.`;
}

function partsOf(given: object): { prompt: string | null; tools: (string | null)[] } {
  const [prompt, tools] = [fieldOf(given, 'prompt'), fieldOf(given, 'tools')];
  const nameOf = (tool: unknown) => fieldOf(tool, 'name') ?? fieldOf(fieldOf(tool, 'function'), 'name');
  return {
    prompt: typeof prompt === 'string' && prompt.trim() !== '' ? prompt : null,
    tools: (Array.isArray(tools) ? tools : []).map((tool) => {
      const name = nameOf(tool);
      return typeof name === 'string' && name !== '' ? name : null;
    }),
  };
}
