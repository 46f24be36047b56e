import { cutText } from '../calls/text.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';

const NAME_AT_MOST = 80;

/** A short name for a watch that a line asks for: by its form, else by the line's own first words. */
export function nameOf({ scope, expectation, polarity }: WatchForm): string {
  const what = expectation.kind === 'judged' ? cleaned(expectation.text) : inShort(expectation, polarity === 'must');
  const when = whenOf(scope, expectation);
  return shortened(when === null ? what : `${what} ${when}`);
}

function inShort(expectation: Exclude<WatchExpectation, { kind: 'judged' }>, must: boolean): string {
  const verb = (positive: string, negative: string) => (must ? positive : negative);
  switch (expectation.kind) {
    case 'tool_called':
      return `${verb('Calls', 'Never calls')} ${expectation.tool}`;
    case 'tool_called_with':
      return `${verb('Calls', 'Never calls')} ${expectation.tool} with ${Object.keys(expectation.args).join(', ')} as given`;
    case 'tool_called_before':
      return `${verb('Calls', 'Never calls')} ${expectation.tool} before ${expectation.before}`;
    case 'says':
      if ('text' in expectation) return `${verb('Says', 'Never says')} “${expectation.text}”`;
      return `${verb('Promises', 'Never promises')} ${expectation.about.join(' ') || 'anything'}`;
    case 'asks_for': {
      if ('confirmation' in expectation) {
        return `${verb('Has the caller confirm', 'Does not ask to confirm')} before ${expectation.before}`;
      }
      const before = expectation.before === null ? '' : ` before ${expectation.before}`;
      return `${verb('Asks for', 'Never asks for')} ${expectation.words.join(' ')}${before}`;
    }
    case 'reaches':
      return `${verb('Comes to', 'Never comes to')} ${expectation.step}`;
    case 'outcome':
      if (expectation.outcome === 'transferred') return verb('Hands over', 'Never hands over');
      return `${verb('Ends as', 'Never ends as')} ${expectation.outcome}`;
    case 'ends_within':
      return `${verb('Ends within', 'Lasts longer than')} ${expectation.seconds} s`;
    default:
      return expectation satisfies never;
  }
}

/** Null where it goes without saying: everywhere, or at the tool that is named already. */
function whenOf(scope: WatchScope, expectation: WatchExpectation): string | null {
  switch (scope.kind) {
    case 'all_calls':
      return null;
    case 'tool_called':
      return 'before' in expectation && expectation.before === scope.tool ? null : `where ${scope.tool} is called`;
    case 'tool_failed':
      return `where ${scope.tool} fails`;
    case 'step_reached':
      return `at ${scope.step}`;
    case 'intent':
      return `on calls about ${scope.intent}`;
    case 'outcome':
      return `on calls that end as ${scope.outcome}`;
    case 'caller_said':
      return 'act' in scope ? 'where a person is asked for' : `where the caller says “${scope.text}”`;
    default:
      return scope satisfies never;
  }
}

const cleaned = (text: string) => text.trim().replace(/(?<![\s.;:,])[\s.;:,]+$/u, '');

/** At the end of a word, with a sign that there is more. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  if (line.length <= NAME_AT_MOST) return line;
  const cut = cutText(line, NAME_AT_MOST - 1);
  return `${cleaned(cut.slice(0, Math.max(cut.lastIndexOf(' '), NAME_AT_MOST / 2)))}…`;
}
