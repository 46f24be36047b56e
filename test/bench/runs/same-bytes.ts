import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.ts';
import { newId } from '../../../src/ids.ts';
import { newWebhookSecret } from '../../../src/operations/webhooks/webhook.ts';
import { createVault } from '../../../src/secrets.ts';
import { TEST_SECRET, untilTrue } from '../../support/pipeline.ts';
import { openTestFolder } from '../../support/test-folder.ts';
import { ask } from './play.ts';
import type { RunAgent, RunWorld } from './world.ts';

const EARSHOT = fileURLToPath(new URL('../../../cli/earshot.js', import.meta.url));

/** Has the end of runs told to the stand-in, which remembers what it got. */
export async function listenForRuns({ database, speakers }: RunWorld, { workspaceId }: RunAgent): Promise<void> {
  const sealedSecret = createVault(TEST_SECRET).seal(newWebhookSecret());
  const url = `${speakers.url}/hook`;
  const webhook = { workspaceId, agentId: null, url, events: ['run.completed' as const], sealedSecret };
  await insertWebhook(database.within(workspaceId), { ...webhook, createdBy: newId() }, 1);
}

/** @returns what is wrong: the API, the command line and the webhook must give out the same bytes. */
export async function compareBytes(world: RunWorld, agent: RunAgent, runId: string): Promise<string[]> {
  const { agentId, key } = agent;
  const answer = await ask(world, agent, `/v1/agents/${agentId}/runs/${runId}/result`, undefined, 'GET');
  const served = digest(Buffer.from(await answer.arrayBuffer()));
  const folder = openTestFolder(true);
  try {
    const file = join(folder.path, 'document.json');
    const args = [EARSHOT, 'result', runId, '--agent', agentId, '--document', file];
    execFileSync(process.execPath, args, {
      env: { PATH: process.env['PATH'], EARSHOT_URL: world.api.url, EARSHOT_KEY: key, EARSHOT_DATA: folder.path },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const written = digest(readFileSync(file));
    let hooked: string | null = null;
    await untilTrue(async () => (hooked = (await world.speakers.log()).hooked) !== null);
    return [
      ...(written === served ? [] : ['The command line writes other bytes than the API serves.']),
      ...(hooked === served ? [] : ['The webhook brings other bytes than the API serves.']),
      ...(answer.headers.get('etag')?.includes(served) ? [] : ['The entity tag is not the hash of the bytes.']),
    ];
  } finally {
    folder.remove();
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
