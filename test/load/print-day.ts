import { parseArgs } from 'node:util';
import { PARTS, simulateDay } from './simulate.ts';

/** Polls as often as they come unless set otherwise, and as often as webhooks leave them to. */
const POLL_SECONDS = [60, 300];
const PROCESSORS = { Temporal: 4, PostgreSQL: 8, workers: 4 };
const PEAK = 2;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Prints what a day of many agents takes. @returns the exit code */
export function printDay(args: string[]): number {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '5000' },
      /** Agents of an account, which are polled together. */
      account: { type: 'string', default: '25' },
      /** Of a year. */
      calls: { type: 'string', default: '100000000' },
    },
  });
  const [agents, agentsOfAnAccount, calls] = [Number(values.agents), Number(values.account), Number(values.calls)];
  if (!(agents > 0) || !(agentsOfAnAccount > 0) || !(calls > 0))
    throw new Error('npm run load -- simulate [--agents 5000] [--account 25] [--calls 100000000]');
  for (const pollSeconds of POLL_SECONDS) {
    const callsADay = calls / 365;
    const day = simulateDay({ agents, agentsOfAnAccount, callsADay, pollSeconds, peak: PEAK, processors: PROCESSORS });
    const needed = PARTS.map((part) => `${part} ${day.needed[part].toFixed(1)} of ${PROCESSORS[part]}`).join(', ');
    const behind = PARTS.map((part) => `${part} ${day.behindMinutes[part].toFixed(0)}`).join(', ');
    say(`\n${agents} agents, ${calls} calls a year, a poll every ${pollSeconds} s`);
    say(`processors in the busiest minute: ${needed}; minutes behind at most: ${behind}`);
    say(
      `${day.requestsASecond.toFixed(0)} requests a second to platforms, ${day.storedGbAYear.toFixed(0)} GB a year, ${day.logMbASecond.toFixed(2)} MB of log a second`,
    );
    for (const [at, { part, times, mostly }] of day.limits.entries()) {
      say(`${at + 1}. ${part} at ${times.toFixed(1)} times this load, mostly ${mostly}`);
    }
  }
  return 0;
}
