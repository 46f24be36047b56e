import { Readable } from 'node:stream';
import type { Board } from '../../src/contract/board.ts';
import { chooseAgent } from '../choose-agent.ts';
import type { Session } from '../session.ts';
import { type WriteOptions, writeLines } from './write-lines.ts';

/** Passes the server's lines on as they come. */
export async function exportCalls(session: Session, options: WriteOptions & { agent?: string }): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const lines = Readable.from(await session.client.stream(`/app/agents/${agent.id}/export`));
  await writeLines(lines, options);
  // Beside the lines: what they hold is one call each, and no line says what was looked for in vain.
  const { summary } = await session.client.read<Board>(`/v1/agents/${agent.id}/board`);
  session.print.note(summary);
}
