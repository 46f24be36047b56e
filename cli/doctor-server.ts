import type { Finding } from '../packages/embedded/finding.ts';
import type { InstallationCheck } from '../src/contract/installation.ts';
import { Problem, ServerProblem } from './problem.ts';
import { openSession } from './session.ts';

const CLOCK_DIFFERENCE_MS = 10_000;

export interface ServerExamined {
  findings: Finding[];
  /** What the server says of itself; null where it could not be asked. */
  check: InstallationCheck | null;
}

/** Asks the server how it stands, which knows its own settings; this shell may have others. */
export async function examineServer(): Promise<ServerExamined> {
  try {
    const { client } = openSession({});
    const check = await client.person<InstallationCheck>('GET', '/app/installation/check');
    const findings = check.findings.map((finding) => ({ ...finding, name: `Server: ${finding.name}` }));
    return { findings: [...findings, ownClock(check)], check };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isAway = !(error instanceof ServerProblem) || error.status === null;
    const says = isAway ? error.message : `not asked: ${error.message}`;
    const todo = isAway ? null : 'sign in as an admin of the installation';
    return { findings: [{ name: 'Server', state: 'absent', says, todo }], check: null };
  }
}

function ownClock({ at }: InstallationCheck): Finding {
  const differenceMs = Date.now() - Date.parse(at);
  const name = 'Clock';
  if (Math.abs(differenceMs) <= CLOCK_DIFFERENCE_MS) {
    return { name, state: 'fine', says: 'this machine agrees with the server', todo: null };
  }
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  const says = `this machine is ${seconds} s ${differenceMs > 0 ? 'ahead of' : 'behind'} the server`;
  return { name, state: 'wrong', says, todo: 'synchronize the clock (NTP)' };
}
