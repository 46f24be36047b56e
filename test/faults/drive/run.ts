import { parseArgs } from 'node:util';
import { exitWhenTold } from '../../support/kill-at-exit.ts';
import { sweepTestFolders } from '../../support/test-folder.ts';
import { INVARIANTS } from './check.ts';
import { drive } from './drive.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
exitWhenTold();
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];

if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Use: npm run faults -- --minutes 30 --seed 1');
  process.exitCode = 2;
} else {
  await sweepTestFolders();
  console.log(
    `Things break for ${minutes} minutes by seed ${seed}: npm run faults -- --minutes ${minutes} --seed ${seed}`,
  );
  const { journal, finals, faults, deaths, violations } = await drive({
    seed,
    forMs: minutes * 60_000,
    say: (line) => console.log(line),
  });
  const { requests, unanswered, failed } = journal;
  console.log(
    `${faults} faults, ${deaths} of them deaths; ${requests} requests, ${unanswered} without an answer, ${failed} answered with 5xx; ` +
      `${finals.calls.fed.length + finals.calls.polled.length} calls, ${finals.imports.length} imports, ${finals.runs.length} runs, ` +
      `${journal.erased.length} erasures, ${finals.deliveries.length} messages; ${INVARIANTS.length} invariants checked`,
  );
  for (const { name, violations: found } of violations) {
    console.log(`BROKEN ${name}: ${found.length}\n  ${found.slice(0, 10).join('\n  ')}`);
  }
  if (violations.length === 0) console.log('All of them hold.');
  process.exitCode = violations.length === 0 ? 0 : 1;
}
