import { examine } from '../packages/embedded/examine.ts';
import type { Finding } from '../packages/embedded/finding.ts';
import { createSteps } from '../packages/embedded/steps.js';

export interface DoctorOptions {
  json?: boolean;
}

const SIGNS = { fine: 'ok', absent: '-', wrong: '!!' } as const;

/**
 * `earshot doctor`: what runs, what is missing, and how to get it. Works with nothing running.
 * @returns the exit code: 1 when something is wrong, 0 when things merely do not run.
 */
export async function doctor(options: DoctorOptions = {}): Promise<number> {
  const examined = await examine();
  const findings = [
    ...examined,
    ...(await (await import('./doctor-reading.ts')).examineReading(examined)),
    ...(await (await import('./doctor-spans.ts')).examineSpans(examined)),
  ];
  const steps = createSteps(process.stdout);
  if (options.json) steps.say(JSON.stringify({ findings }));
  else for (const finding of findings) steps.say(line(finding));
  return findings.some((finding) => finding.state === 'wrong') ? 1 : 0;
}

function line({ name, state, says, todo }: Finding): string {
  const advice = todo ? `\n${' '.repeat(21)}→ ${todo}` : '';
  return ` ${SIGNS[state].padEnd(2)} ${name.padEnd(16)} ${says}${advice}`;
}

if (import.meta.main) process.exitCode = await doctor({ json: process.argv.includes('--json') });
