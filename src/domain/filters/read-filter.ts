import { FILTER_AT_MOST } from '../vocabulary.ts';
import { type Filter, FilterProblem } from './filter.ts';
import { type FilterNames, readTerm, readWords } from './filter-fields.ts';
import { type Piece, splitLine } from './split-line.ts';

const TERMS_AT_MOST = 30;
const DEPTH_AT_MOST = 10;

/**
 * Reads one line of text: words and fields that must all hold, `OR`, parentheses, and `-` before what must not.
 * @throws FilterProblem with the place
 */
export function readFilter(line: string, names: FilterNames): Filter {
  if ([...line].length > FILTER_AT_MOST) {
    throw new FilterProblem(`A filter has at most ${FILTER_AT_MOST} characters`, FILTER_AT_MOST + 1);
  }
  const pieces = splitLine(line);
  const end = line.length + 1;
  let next = 0;
  let terms = 0;

  const anyOf = (depth: number, opened: number | null): Filter => {
    const of = [allOf(depth)];
    while (pieces[next]?.kind === 'or') {
      next += 1;
      of.push(allOf(depth));
    }
    const stop = pieces[next];
    if (opened !== null && stop?.kind !== 'close') throw new FilterProblem('This parenthesis is not closed', opened);
    if (opened === null && stop !== undefined) throw new FilterProblem('This parenthesis was not opened', stop.at);
    return joined('any', of);
  };

  const allOf = (depth: number): Filter => {
    const of: Filter[] = [];
    for (;;) {
      const piece = pieces[next];
      if (piece === undefined || piece.kind === 'or' || piece.kind === 'close') break;
      of.push(one(piece, depth));
    }
    if (of.length === 0) throw new FilterProblem('Something to look for is missing here', pieces[next]?.at ?? end);
    return joined('all', of);
  };

  const one = (piece: Piece, depth: number): Filter => {
    next += 1;
    terms += 1;
    if (terms > TERMS_AT_MOST) throw new FilterProblem(`A filter has at most ${TERMS_AT_MOST} parts`, piece.at);
    if (depth > DEPTH_AT_MOST) throw new FilterProblem('Parentheses go too deep here', piece.at);
    if (piece.kind === 'words') return readWords(piece.value);
    if (piece.kind === 'field') return readTerm(piece, names);
    if (piece.kind === 'not') {
      const what = pieces[next];
      if (what === undefined || what.kind === 'or' || what.kind === 'close') {
        throw new FilterProblem('There is nothing behind this minus', piece.at);
      }
      const of = one(what, depth + 1);
      return of.kind === 'not' ? of.of : { kind: 'not', of };
    }
    const inner = anyOf(depth + 1, piece.at);
    next += 1;
    return inner;
  };

  return anyOf(0, null);
}

function joined(kind: 'all' | 'any', of: Filter[]): Filter {
  const flat = of.flatMap((each) => (each.kind === kind ? each.of : [each]));
  const [only, second] = flat;
  return only !== undefined && second === undefined ? only : { kind, of: flat };
}

/** The parts that must all hold. */
export const partsOf = (filter: Filter): readonly Filter[] => (filter.kind === 'all' ? filter.of : [filter]);

/** What it asks to have been said, whatever stands beside it: what a found call shows. */
export function soughtIn(filter: Filter): Extract<Filter, { kind: 'said' }>['sought'][] {
  if (filter.kind === 'said') return [filter.sought];
  return filter.kind === 'all' || filter.kind === 'any' ? filter.of.flatMap(soughtIn) : [];
}
