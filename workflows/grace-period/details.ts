import type { GraceLook } from '../../src/temporal/grace-period.ts';
import { clock } from '../shared/clock.ts';

/** What the grace workflow waits for, in one line. */
export function graceHeadline(look: GraceLook | null): string {
  if (look === null) return 'Looks at the issues';
  const { plan, now } = look;
  if (plan.open === 0 && plan.nextAt === null) return 'No open issue: waits for one';
  if (plan.nextAt === null) return `Nothing has a date. ${waits(look)}`;
  return `Waits until ${clock(Date.parse(plan.nextAt), Date.parse(now))}, when it looks again`;
}

/** What an operator reads: the next dates, and what holds the others. */
export function graceDetails(look: GraceLook): string {
  const { plan, now } = look;
  const paragraphs = [`**${graceHeadline(look)}**`];
  if (plan.due.length > 0) {
    const lines = plan.due.map(({ title, at }) => `- ${clock(Date.parse(at), Date.parse(now))}: ${bare(title)}`);
    paragraphs.push(`Resolved then, if no call that starts before shows them:\n${lines.join('\n')}`);
  }
  const held = waits(look);
  if (held !== '' && plan.nextAt !== null) paragraphs.push(held);
  paragraphs.push(
    'Nothing needs to be done. The signal `moved` makes it look at once; terminating it is safe, the next regrouping that moves a date starts it again.',
  );
  return paragraphs.join('\n\n');
}

function waits({ plan }: GraceLook): string {
  const parts: [number, string][] = [
    [plan.waitForCalls, 'for calls on which it could be seen'],
    [plan.waitForAnalysis, 'for calls of its grace period to be analysed'],
    [plan.waitForImport, 'for an import to end'],
  ];
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} open, waiting ${what}.`] : [])).join(' ');
}

const bare = (title: string) => title.replaceAll('`', "'").replaceAll(/[\n\r*_[\]<>#]/g, ' ');
