import { type OutcomeFiles, writeOutcome } from './outcome-files.ts';
import { element, writeXml } from './xml.ts';

/** What is written of a run that was refused before it began: a report that a pipeline shows, red, with the reason. */
export async function reportRefusal(files: OutcomeFiles, agent: string, reason: string): Promise<void> {
  if (files.junit !== undefined) await writeOutcome(files.junit, junitOfRefusal(agent, reason));
  if (files.markdown !== undefined) await writeOutcome(files.markdown, `### Earshot: ${agent}\n\nRefused: ${reason}\n`);
}

function junitOfRefusal(agent: string, reason: string): string {
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 };
  const error = element('error', { message: reason, type: 'refused' });
  const testcase = element('testcase', { name: 'the run as a whole', classname: agent }, [error]);
  const suite = element('testsuite', { name: agent, ...counts }, [testcase]);
  return writeXml(element('testsuites', { name: 'earshot', ...counts }, [suite]));
}
