import { parseArgs } from 'node:util';
import { exitWhenTold } from '../../support/kill-at-exit.ts';
import { sweepTestFolders } from '../../support/test-folder.ts';
import { tryPoints } from '../points/points.ts';
import { INVARIANTS } from './check.ts';
import { drive, HURRIED, PATIENCE } from './drive.ts';
import { FAULTS } from './faults.ts';
import { prove } from './prove.ts';

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    /** Things stop breaking after so many deaths, if that is before the minutes are over. */
    deaths: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    /** Names of faults, with commas. */
    only: { type: 'string', default: '' },
    hurried: { type: 'boolean', default: false },
    /** Nothing breaks, and memory and tables are looked at. */
    soak: { type: 'boolean', default: false },
    /** Whether the checker notices a broken product; with a part of what it does, only those. */
    prove: { type: 'boolean', default: false },
    /** Kills at each point at which a flow keeps something; with names of flows, only of those. */
    points: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
exitWhenTold();
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
const deathsWanted = values.deaths === '' ? Number.POSITIVE_INFINITY : Number(values.deaths);
const faultNames = values.only === '' ? [] : values.only.split(',');
const unknown = faultNames.filter((name) => !FAULTS.some((fault) => fault.name === name));

if (!(minutes > 0) || !(deathsWanted > 0) || !Number.isInteger(seed) || unknown.length > 0) {
  console.error(
    `Use: npm run faults -- --minutes 30 --seed 1 [--deaths 250] [--only "${FAULTS[0]?.name},…"], or: npm run faults -- --soak --minutes 60, or: npm run faults -- --prove [part of a name], or: npm run faults -- --points [import] --minutes 10`,
  );
  process.exitCode = 2;
} else if (values.points) {
  await sweepTestFolders();
  const say = (line: string) => console.log(line);
  const { points, kills, passed, left, broken } = await tryPoints({
    only: positionals,
    seed,
    forMs: minutes * 60_000,
    say,
  });
  console.log(
    `${kills} kills at ${points} points, on either side of them; ${passed} were not met, ${left} not tried; ${broken.length} left something else`,
  );
  for (const text of broken) console.log(`BROKEN ${text}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} else if (values.prove) {
  await sweepTestFolders();
  process.exitCode = (await prove(positionals.join(' '))) ? 0 : 1;
} else {
  await sweepTestFolders();
  const { soak: soaks } = values;
  console.log(
    soaks
      ? `Customers work for ${minutes} minutes and nothing breaks`
      : `Things break for ${minutes} minutes by seed ${seed}: npm run faults -- --minutes ${minutes} --seed ${seed}${values.deaths && ` --deaths ${values.deaths}`}`,
  );
  const { journal, finals, faults, deaths, happened, leftOut, violations } = await drive({
    seed,
    forMs: minutes * 60_000,
    untilDeaths: deathsWanted,
    say: (line) => console.log(line),
    only: faultNames,
    patience: values.hurried ? HURRIED : PATIENCE,
    soaks,
  });
  const { requests, unanswered, failed } = journal;
  console.log(
    `${faults} faults, ${deaths} of them deaths; ${requests} requests, ${unanswered} without an answer, ${failed} answered with 5xx; ` +
      `${finals.calls.fed.length + finals.calls.polled.length} calls, ${finals.imports.length} imports, ${finals.runs.length} runs, ` +
      `${journal.published.length} publishes, ${journal.approved.length} approvals, ${journal.backtested.length} backtests, ` +
      `${journal.erased.length} erasures, ${finals.deliveries.length} messages; ${INVARIANTS.length} invariants checked`,
  );
  console.log([...happened].map(([name, times]) => `${times} × ${name}`).join(', '));
  for (const name of leftOut) console.log(`Not tried, as this machine does not allow it: ${name}.`);
  for (const { name, violations: found } of violations) {
    console.log(`BROKEN ${name}: ${found.length}\n  ${found.slice(0, 10).join('\n  ')}`);
  }
  if (violations.length === 0) console.log('All of them hold.');
  process.exitCode = violations.length === 0 ? 0 : 1;
}
