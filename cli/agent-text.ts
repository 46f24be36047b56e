import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import type { AgentResource } from '../src/contract/agent.ts';
import { chooseAgent } from './choose-agent.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

/** The text of an agent as the API gives it. */
export interface AgentText {
  version: number | null;
  hash: string | null;
  parts: { path: string; kind: string; label: string; text: string }[];
}

export const readText = (session: Session, agent: AgentResource): Promise<AgentText> =>
  session.client.read<AgentText>(`/v1/agents/${agent.id}/text`);

/** Writes the text of the live version to a file that can live in a repository: one entry a part, by its path. */
export async function pullText(session: Session, file: string, options: { agent?: string }): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const { version, hash, parts } = await readText(session, agent);
  if (version === null) throw new Problem(`The text of ${agent.name} was never captured.`, EXIT.failed);
  const texts = Object.fromEntries(parts.map(({ path, text }) => [path, text]));
  await writeFile(file, stringify({ agent: agent.id, version, hash, texts }, { lineWidth: 0 }));
  if (session.json) return session.print.json({ agentId: agent.id, version, hash, parts: parts.length, file });
  session.print.line(`${file}: version ${version} of ${agent.name}, ${parts.length} texts.`);
}

export interface TextFile {
  agent: string;
  hash: string;
  texts: Record<string, string>;
}

/** @throws Problem where the file is none that `agent pull` wrote. */
export async function readTextFile(file: string): Promise<TextFile> {
  let given: unknown;
  try {
    given = parse(await readFile(file, 'utf8'), { maxAliasCount: 0 });
  } catch (error) {
    throw new Problem(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isTextFile(given)) throw new Problem(`${file} is none that \`earshot agent pull\` wrote.`);
  return given;
}

function isTextFile(given: unknown): given is TextFile {
  if (typeof given !== 'object' || given === null) return false;
  const { agent, hash, texts } = given as Partial<Record<keyof TextFile, unknown>>;
  return (
    typeof agent === 'string' &&
    typeof hash === 'string' &&
    typeof texts === 'object' &&
    texts !== null &&
    Object.values(texts).every((text) => typeof text === 'string')
  );
}
