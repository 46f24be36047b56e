import { examine } from '../packages/embedded/examine.ts';
import type { Finding } from '../packages/embedded/finding.ts';
import { createSteps } from '../packages/embedded/steps.js';

export interface DoctorOptions {
  json?: boolean;
}

const SIGNS = { fine: 'ok', absent: '-', wrong: '!!' } as const;
const NAME_WIDTH = 20;

/**
 * `earshot doctor`: what runs, what is missing, and how to get it. Works with nothing running. Of a server that
 * `EARSHOT_URL` names, only that one is asked: nothing of it runs here.
 * @returns the exit code: 1 when something is wrong, 0 when things merely do not run.
 */
export async function doctor(options: DoctorOptions = {}): Promise<number> {
  const isElsewhere = process.env['EARSHOT_URL'] !== undefined;
  const examined = isElsewhere ? [] : await examine();
  const answers = isElsewhere || examined.some(({ name, state }) => name === 'API' && state === 'fine');
  const server = answers ? await (await import('./doctor-server.ts')).examineServer() : { findings: [], check: null };
  // Which model the server has, it says itself; this shell may have another one set, or none.
  const findings = [...examined.filter(({ name }) => name !== 'Models' || server.check === null), ...server.findings];
  const hasModel = findings.some(({ name, state }) => /Models?$/.test(name) && state !== 'absent');
  if (answers && hasModel) findings.push(...(await (await import('./doctor-reading.ts')).examineReading()));
  if (answers) findings.push(...(await (await import('./doctor-spans.ts')).examineSpans()));
  const steps = createSteps(process.stdout);
  if (options.json) steps.say(JSON.stringify({ findings, server: server.check }));
  else for (const finding of findings) steps.say(line(finding));
  const isUnknown = isElsewhere && server.check === null;
  return isUnknown || findings.some((finding) => finding.state === 'wrong') ? 1 : 0;
}

function line({ name, state, says, todo }: Finding): string {
  const advice = todo ? `\n${' '.repeat(NAME_WIDTH + 5)}→ ${todo}` : '';
  return ` ${SIGNS[state].padEnd(2)} ${name.padEnd(NAME_WIDTH)} ${says}${advice}`;
}

if (import.meta.main) process.exitCode = await doctor({ json: process.argv.includes('--json') });
