import { share } from '../figures.ts';
import { linesOf, type Metric } from '../line.ts';

/** M15: calls without a failure label. The fewer findings, and above all the fewer that name a cause, the better. */
export const honestyLines: Metric = (set, calls) => {
  const rows = calls
    .filter((call) => call.labels['reward'] === 1 || call.labels['rating'] === 3)
    .map((call) => {
      const findings = call.analysis.signals.filter((signal) => signal.klass !== 'behaviour');
      const named = findings.filter((signal) => signal.cause !== null).length;
      return { group: call.group, findings: findings.length, named };
    });
  const sum = (some: typeof rows, field: 'findings' | 'named') => some.reduce((all, row) => all + row[field], 0);
  const { of } = linesOf('M15 honesty', set);
  const lower = { better: 'lower' as const };
  return [
    of('findings a call', rows, (some) => share(sum([...some], 'findings'), some.length), lower),
    of('findings with a cause', rows, (some) => share(sum([...some], 'named'), sum([...some], 'findings')), lower),
    of(
      'calls with a named cause',
      rows,
      (some) => share(some.filter((row) => row.named > 0).length, some.length),
      lower,
    ),
  ];
};
