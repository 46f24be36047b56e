import type { TestResource } from '../../src/contract/test.ts';
import { PROGRAM } from '../../src/layout.ts';
import { chooseAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import type { Session } from '../session.ts';

/** `earshot tests`: what is tested, and which tests decide about runs. */
export async function showTests(session: Session, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const tests = await readList<TestResource>(client, `/v1/agents/${agent.id}/tests`);
  if (json) return print.json(tests);
  if (tests.length === 0) return print.line(`No tests. Write one as a file and send it: ${PROGRAM} tests push`);
  print.table(
    ['Title', 'From', 'Lane', 'Gates', 'Why', 'Revision', 'Id'],
    tests.map(({ title, source, lane, gates, gateReason, revision, id }) => [
      title,
      source,
      lane ?? '',
      gates ? 'yes' : 'no',
      gateReason ?? '',
      String(revision),
      id,
    ]),
  );
}
