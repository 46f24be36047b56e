import type { AgentResource } from '../src/contract/agent.ts';
import { PROGRAM, START } from '../src/layout.ts';
import { readList } from './lists.ts';
import { ServerProblem } from './problem.ts';
import type { Session } from './session.ts';

/** `earshot` alone: which server, what it holds, and what to do next. */
export async function showStanding(session: Session): Promise<void> {
  const { access, client, print } = session;
  const say = (standing: string, next: string) => {
    print.line(standing);
    print.line(`Next: ${next}`);
    print.line(`All commands: ${PROGRAM} --help`);
  };
  if (access.key === null && access.session === null) {
    return say(`Server ${access.url}; not signed in.`, await whereToBegin(client.url));
  }
  let agents: AgentResource[];
  try {
    agents = await readList<AgentResource>(client, '/v1/agents');
  } catch (error) {
    if (!(error instanceof ServerProblem)) throw error;
    return say(error.message, error.status === null ? START : `${PROGRAM} sign-in`);
  }
  const own = agents.filter(({ readOnly }) => !readOnly);
  const known = own.filter(({ provider, counts }) => provider !== 'demo' && counts.calls > 0);
  print.line(`Server ${access.url}, ${access.session === null ? 'with a key' : 'signed in'}.`);
  for (const { name, counts } of own.slice(0, AGENTS_SHOWN)) {
    print.line(`  ${name}: ${counts.calls} calls, ${counts.openIssues} open issues`);
  }
  if (own.length > AGENTS_SHOWN) print.line(`  and ${own.length - AGENTS_SHOWN} more: ${PROGRAM} agents`);
  const [newest] = known.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  print.line(
    newest === undefined
      ? `Next: ${PROGRAM} import calls.jsonl, or ${PROGRAM} connect --help`
      : `Next: ${PROGRAM} issues --agent ${newest.id}`,
  );
  print.line(`All commands: ${PROGRAM} --help`);
}

const AGENTS_SHOWN = 5;

/** Whoever has no access yet either starts a server or signs in at one. */
async function whereToBegin(url: string): Promise<string> {
  try {
    await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return `${PROGRAM} sign-in, or set EARSHOT_KEY`;
  } catch {
    return `${START} starts a server here; for another one set EARSHOT_URL and EARSHOT_KEY`;
  }
}
