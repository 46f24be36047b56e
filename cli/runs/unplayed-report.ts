import { markerOf, plain } from './markdown.ts';
import { type OutcomeFiles, writeOutcome } from './outcome-files.ts';
import { element, writeXml } from './xml.ts';

type Unplayed = 'refused' | 'not_finished' | 'interrupted';

/** What is written where a run gave no result: a report that a pipeline shows, red, with the reason. */
export async function reportUnplayed(
  files: OutcomeFiles,
  agent: { id: string | null; name: string },
  type: Unplayed,
  reason: string,
): Promise<void> {
  if (files.junit !== undefined) await writeOutcome(files.junit, junitOf(agent.name, type, reason));
  if (files.markdown === undefined) return;
  // By its first line the comment of the run before is found: a stale verdict must not stay.
  const marker = agent.id === null ? [] : [markerOf(agent.id)];
  const text = `${type === 'refused' ? 'Refused: ' : ''}${plain(reason)}`;
  await writeOutcome(files.markdown, [...marker, `### ❌ Earshot: ${plain(agent.name)}`, '', text, ''].join('\n'));
}

function junitOf(agent: string, type: Unplayed, reason: string): string {
  const counts = { tests: 1, failures: 0, errors: 1, skipped: 0 };
  const error = element('error', { message: reason, type });
  const testcase = element('testcase', { name: 'the run as a whole', classname: agent }, [error]);
  const suite = element('testsuite', { name: agent, ...counts }, [testcase]);
  return writeXml(element('testsuites', { name: 'earshot', ...counts }, [suite]));
}
