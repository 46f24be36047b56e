import { cutText } from '../text.ts';
import { expectationInShort, filterInWords } from './in-words.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';

const NAME_AT_MOST = 80;

/** A short name for a watch that a line asks for: by its form, else by the line's own first words. */
export function nameOf(form: WatchForm): string {
  const { scope, expectation } = form;
  const what = expectation.kind === 'judged' ? cleaned(expectation.text) : expectationInShort(form);
  const filter = scope.calls ? `, ${filterInWords(scope.calls)}` : '';
  const when = whenOf(scope, expectation);
  return shortened(`${what}${when === null ? '' : ` ${when}`}${filter}`);
}

/** Null where it goes without saying: everywhere, or at the tool that is named already. */
function whenOf(scope: WatchScope, expectation: WatchExpectation): string | null {
  switch (scope.kind) {
    case 'all_calls':
      return null;
    case 'tool_called':
      return 'before' in expectation && expectation.before === scope.tool
        ? null
        : `${scope.following ? 'after' : 'where'} ${scope.tool} is called`;
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
