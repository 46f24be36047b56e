import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import { type CallReading, readCall } from '../../src/domain/signals/reading.ts';
import { type PhraseMatcher, phrasesOf } from '../../src/domain/words/phrases.ts';
import type { Analysed, AnalysedSet } from './analysed.ts';
import { areSisters, countable, ENDINGS, hasJudgedOutcome, isNear, labelled } from './metrics/faults.ts';
import { PARTS, type Part } from './parts.ts';

/**
 * How a rule did on calls: a hit stands at a labelled fault, on a healthy call, or elsewhere on a call with other faults. Of
 * outcome rules right and wrong endings (`elsewhere`), of word lists the faulty and the healthy calls that hold a phrase.
 */
interface Tally {
  right: number;
  healthy: number;
  elsewhere: number;
}

interface RuleRow {
  kind: 'detector' | 'ledger rule' | 'claim' | 'outcome rule' | 'word list';
  name: string;
  parts: Record<Part, Tally>;
  /** What the judged calls lose without the rule; null where nothing was left out to see it. */
  lost: Lost | null;
}

interface Lost {
  found: number;
  flagged: number;
  outcomes: number;
}

interface Hit {
  code: string;
  turn: number;
}

interface Call extends Omit<Analysed, 'analysis'> {
  analysis: CallAnalysis;
  variant: string;
  reading: CallReading;
}

const LANGUAGES = ['en', 'de', 'es', 'fr'];
const CLAIMS = 'claimed_without_tool';

/** Each rule beside what it was right about, on the calls it was made on and on those that judge it. */
export function ruleRows(sets: readonly AnalysedSet[]): RuleRow[] {
  const calls = sets.flatMap(({ measuredAs, calls: own }) =>
    own.map(
      (one): Call => ({
        ...one,
        analysis: analyseCall({ call: one.call, configuration: one.configuration }, {}),
        variant: measuredAs,
        reading: readCall({ call: one.call, configuration: one.configuration }),
      }),
    ),
  );
  const judged = calls.filter(({ part }) => part === 'judge');
  const rows = new Map<string, RuleRow>();
  const count = (kind: RuleRow['kind'], name: string, part: Part, how: keyof Tally) => {
    const key = `${kind} ${name}`;
    const none = (): Tally => ({ right: 0, healthy: 0, elsewhere: 0 });
    const row = rows.get(key) ?? { kind, name, parts: { make: none(), judge: none() }, lost: null };
    rows.set(key, row);
    row.parts[part][how] += 1;
  };
  for (const call of calls) {
    for (const hit of hitsOf(call)) count('detector', hit.code, call.part, judgedAs(call, hit));
    for (const { rule, code, turn } of call.reading.findings())
      count('ledger rule', rule, call.part, judgedAs(call, { code, turn }));
    for (const { kind, turn, verdict } of call.reading.claims())
      if (verdict !== 'backed') count('claim', kind, call.part, judgedAs(call, { code: CLAIMS, turn }));
    if (hasJudgedOutcome(call) && call.analysis.outcome !== null) {
      const isRight = call.analysis.outcome === call.labels['outcome'];
      count('outcome rule', call.analysis.outcomeReason.rule, call.part, isRight ? 'right' : 'elsewhere');
    }
  }
  for (const row of rows.values()) {
    if (row.kind === 'detector')
      row.lost = lostBy(judged, (call) => hitsOf(call).filter(({ code }) => code !== row.name));
    if (row.kind === 'ledger rule') row.lost = lostBy(judged, (call) => withoutFindings(call, row.name));
  }
  return [...rows.values(), ...wordLists(calls)];
}

function hitsOf({ analysis }: Pick<Call, 'analysis'>): Hit[] {
  return analysis.signals
    .filter(({ klass, code }) => klass !== 'behaviour' && !ENDINGS.has(code))
    .map(({ code, turnIndex }) => ({ code, turn: turnIndex }));
}

/** Labels beyond the variant's own count too: words alone may show what was thought to need a tool. */
function judgedAs(call: Call, { code, turn }: Hit): keyof Tally {
  const faults = labelled(call, 'faults');
  if (faults.length === 0) return 'healthy';
  return faults.some((fault) => areSisters(fault.code, code) && isNear(turn, fault.place)) ? 'right' : 'elsewhere';
}

const foundBy = (call: Call, hits: readonly Hit[]) =>
  countable(call, call.variant).filter(({ code, place }) =>
    hits.some((hit) => areSisters(code, hit.code) && isNear(hit.turn, place)),
  ).length;

const isFlagged = (call: Call, hits: readonly Hit[]) => labelled(call, 'faults').length === 0 && hits.length > 0;
const isRight = (call: Call, { outcome }: { outcome: string | null }) =>
  hasJudgedOutcome(call) && outcome === call.labels['outcome'];

function lostBy(calls: readonly Call[], left: (call: Call) => readonly Hit[]): Lost {
  const lost = { found: 0, flagged: 0, outcomes: 0 };
  for (const call of calls) {
    const [before, after] = [hitsOf(call), left(call)];
    lost.found += foundBy(call, before) - foundBy(call, after);
    lost.flagged += Number(isFlagged(call, before)) - Number(isFlagged(call, after));
  }
  return lost;
}

function withoutFindings(call: Call, rule: string): readonly Hit[] {
  const [gone, kept] = [new Set<string>(), new Set<string>()];
  for (const one of call.reading.findings()) (one.rule === rule ? gone : kept).add(`${one.code} ${one.turn}`);
  return hitsOf(call).filter(({ code, turn }) => !gone.has(`${code} ${turn}`) || kept.has(`${code} ${turn}`));
}

/** Lists of phrases of all languages, each left out in turn where judged calls hold one of its phrases. */
function wordLists(calls: readonly Call[]): RuleRow[] {
  const byList = new Map<string, Call[]>();
  for (const call of calls) {
    const lists = new Set(call.reading.spoken.flatMap(({ role, hits }) => hits.map(({ list }) => `${role} ${list}`)));
    for (const list of lists) byList.set(list, [...(byList.get(list) ?? []), call]);
  }
  return [...byList].map(([name, own]): RuleRow => {
    const tally = (part: Part): Tally => {
      const faulty = own.filter((call) => call.part === part && labelled(call, 'faults').length > 0).length;
      return { right: faulty, healthy: own.filter((call) => call.part === part).length - faulty, elsewhere: 0 };
    };
    const lost = withoutList(name, () => {
      const sum = { found: 0, flagged: 0, outcomes: 0 };
      for (const call of own.filter(({ part }) => part === 'judge')) {
        const analysis = analyseCall({ call: call.call, configuration: call.configuration }, {});
        const [before, after] = [hitsOf(call), hitsOf({ analysis })];
        sum.found += foundBy(call, before) - foundBy(call, after);
        sum.flagged += Number(isFlagged(call, before)) - Number(isFlagged(call, after));
        sum.outcomes += Number(isRight(call, call.analysis)) - Number(isRight(call, analysis));
      }
      return sum;
    });
    return { kind: 'word list', name, parts: { make: tally('make'), judge: tally('judge') }, lost };
  });
}

function withoutList<T>(name: string, look: () => T): T {
  const [role, list] = name.split(' ') as ['caller' | 'agent', string];
  const compiled = LANGUAGES.flatMap((language) => phrasesOf(language) ?? []);
  const own = compiled.map((one) => one[role]);
  for (const [at, one] of compiled.entries()) {
    const matcher = own[at] as PhraseMatcher;
    one[role] = (words, bits) => matcher(words, bits).filter((hit) => hit.list !== list);
  }
  try {
    return look();
  } finally {
    for (const [at, one] of compiled.entries()) one[role] = own[at] as PhraseMatcher;
  }
}

/** As lines: what stays right on the fewest judged calls comes first in its kind. */
export function ruleLines(rows: readonly RuleRow[]): string[] {
  const precision = ({ right, healthy, elsewhere }: Tally) => right / Math.max(1, right + healthy + elsewhere);
  const heading = `${'rule'.padEnd(58)} ${PARTS.map((part) => `${part}: right healthy other`.padStart(28)).join('')}   lost without: found flagged outcomes`;
  const sorted = rows.toSorted(
    (a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0) || precision(a.parts.judge) - precision(b.parts.judge),
  );
  const figures = ({ right, healthy, elsewhere }: Tally) =>
    [right, healthy, elsewhere]
      .map((figure) => String(figure).padStart(8))
      .join('')
      .padStart(28);
  return [
    heading,
    ...sorted.map(
      ({ kind, name, parts, lost }) =>
        `${`${kind} ${name}`.padEnd(58)} ${PARTS.map((part) => figures(parts[part])).join('')}${lost === null ? '' : `   ${[lost.found, lost.flagged, lost.outcomes].map((figure) => String(figure).padStart(8)).join('')}`}`,
    ),
  ];
}
