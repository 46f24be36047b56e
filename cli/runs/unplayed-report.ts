import { type OutcomeFiles, writeOutcome } from './outcome-files.ts';
import { element, writeXml } from './xml.ts';

type Unplayed = 'refused' | 'not_finished';

/** What is written where a run gave no result: a report that a pipeline shows, red, with the reason. */
export async function reportUnplayed(
  files: OutcomeFiles,
  agent: string,
  type: Unplayed,
  reason: string,
): Promise<void> {
  if (files.junit !== undefined) await writeOutcome(files.junit, junitOf(agent, type, reason));
  const text = type === 'refused' ? `Refused: ${reason}` : reason;
  if (files.markdown !== undefined) await writeOutcome(files.markdown, `### Earshot: ${agent}\n\n${text}\n`);
}

function junitOf(agent: string, type: Unplayed, reason: string): string {
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 };
  const error = element('error', { message: reason, type });
  const testcase = element('testcase', { name: 'the run as a whole', classname: agent }, [error]);
  const suite = element('testsuite', { name: agent, ...counts }, [testcase]);
  return writeXml(element('testsuites', { name: 'earshot', ...counts }, [suite]));
}
