import type { WatchMeasure } from '../vocabulary.ts';
import type { Bounds, CallFilter, WatchForm, WatchScope } from './watch.ts';

/** A watch in its own words: what code looks at, and what it expects there. */
export function formInWords(form: WatchForm): string {
  const what = expectationInShort(form);
  return `${scopeInWords(form.scope)}: ${what.charAt(0).toLowerCase()}${what.slice(1)}.`;
}

/** What is expected, without the calls that it is about. */
export function expectationInShort({ expectation, polarity }: WatchForm): string {
  const verb = (positive: string, negative: string) => (polarity === 'must' ? positive : negative);
  switch (expectation.kind) {
    case 'tool_called': {
      const { tool, times } = expectation;
      return times
        ? `${verb('Calls', 'Does not call')} ${tool} ${often(times)}`
        : `${verb('Calls', 'Never calls')} ${tool}`;
    }
    case 'tool_called_with':
      return `${verb('Calls', 'Never calls')} ${expectation.tool} with ${Object.keys(expectation.args).join(', ')} as given`;
    case 'tool_called_before':
      return `${verb('Calls', 'Never calls')} ${expectation.tool} before ${expectation.before}`;
    case 'says': {
      if ('act' in expectation) {
        return `${verb('Promises', 'Never promises')} ${expectation.about.join(' ') || 'anything'}`;
      }
      const at = expectation.at ? ` in the agent’s ${expectation.at === 'start' ? 'first' : 'last'} two turns` : '';
      if ('text' in expectation) {
        const before = expectation.before === undefined ? '' : ` before ${expectation.before}`;
        return `${verb('Says', 'Never says')} “${expectation.text}”${at}${before}`;
      }
      return `${verb('Says', 'Never says')} in one turn ${quoted(expectation.words)}, in any form${at}`;
    }
    case 'asks_for': {
      if ('confirmation' in expectation) {
        const of = expectation.of ? ` (${expectation.of.join(' ')}: what is confirmed is not compared)` : '';
        return `${verb('Has the caller confirm', 'Does not ask to confirm')} before ${expectation.before}${of}`;
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
    case 'signal':
      return `${verb('Shows', 'Never shows')} the signal ${expectation.code}`;
    case 'measure':
      return `${MEASURES[expectation.measure]} ${verb('is', 'is not')} ${bounds(expectation, UNITS[expectation.measure])}`;
    case 'judged':
      return `A model judges “${expectation.text}”`;
    default:
      return expectation satisfies never;
  }
}

export const MEASURES: Record<WatchMeasure, string> = {
  response_s: 'The slowest answer of the agent',
  mean_response_s: 'The mean wait for an answer',
  silence_s: 'The longest silence',
  interruptions: 'The number of times the agent interrupts',
  duration_s: 'The length of the call',
  cost_usd: 'The cost of the call',
  turns: 'The number of turns',
};
export const UNITS: Record<WatchMeasure, string> = {
  response_s: ' s',
  mean_response_s: ' s',
  silence_s: ' s',
  interruptions: '',
  duration_s: ' s',
  cost_usd: ' USD',
  turns: '',
};

function bounds({ atLeast, atMost }: Bounds, unit: string): string {
  if (atLeast !== undefined && atLeast === atMost) return `exactly ${atLeast}${unit}`;
  const least = atLeast === undefined ? [] : [`at least ${atLeast}${unit}`];
  const most = atMost === undefined ? [] : [`at most ${atMost}${unit}`];
  return [...least, ...most].join(' and ');
}

function often(times: Bounds): string {
  const { atLeast, atMost } = times;
  const only = bounds(times, '');
  const isOne = (atMost ?? atLeast) === 1;
  return isOne ? only.replace(/1$/, 'once') : `${only} times`;
}

const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');

/** The calls that a watch is about, as a person would say it. */
export function scopeInWords(scope: WatchScope): string {
  const filter = scope.calls ? filterInWords(scope.calls) : '';
  return `${baseInWords(scope)}${filter === '' ? '' : `, ${filter}`}${scope.following ? ', from there on' : ''}`;
}

function baseInWords(scope: WatchScope): string {
  switch (scope.kind) {
    case 'all_calls':
      return 'All calls';
    case 'tool_called':
      return `Calls on which ${scope.tool} was called`;
    case 'tool_failed':
      return `Calls on which ${scope.tool} failed`;
    case 'step_reached':
      return `Calls that came to "${scope.step}"`;
    case 'intent':
      return `Calls about ${scope.intent}`;
    case 'outcome':
      return `Calls that ended as ${scope.outcome}`;
    case 'caller_said':
      return 'act' in scope
        ? 'Calls on which the caller asks for a person'
        : `Calls on which the caller says "${scope.text}"`;
    default:
      return scope satisfies never;
  }
}

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** "inbound, in German, longer than 60 s". */
export function filterInWords(calls: CallFilter): string {
  const { fromVersion, toVersion, direction, language, longerThanS, shorterThanS, answeredBy, variables } = calls;
  return [
    direction,
    language && `in ${LANGUAGE_NAMES.of(language) ?? language}`,
    fromVersion !== undefined && fromVersion === toVersion && `on version ${fromVersion}`,
    fromVersion !== undefined && fromVersion !== toVersion && `from version ${fromVersion} on`,
    toVersion !== undefined && fromVersion !== toVersion && `up to version ${toVersion}`,
    longerThanS !== undefined && `longer than ${longerThanS} s`,
    shorterThanS !== undefined && `shorter than ${shorterThanS} s`,
    answeredBy && `answered by ${answeredBy.replace('_', ' ')}`,
    ...Object.entries(variables ?? {}).map(([name, value]) => `with ${name} "${value}"`),
  ]
    .filter(Boolean)
    .join(', ');
}
